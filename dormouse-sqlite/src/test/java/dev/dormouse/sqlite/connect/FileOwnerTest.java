package dev.dormouse.sqlite.connect;

import static dev.dormouse.sqlite.Errors.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.sqlite.Child;
import dev.dormouse.sqlite.Sample;
import dev.dormouse.sqlite.Stores;
import dev.dormouse.sqlite.Whole;
import dev.dormouse.store.Store;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.RunRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One process at a time, and in it one store at a time, can use a file. */
@Tag("process")
@Timeout(60)
class FileOwnerTest {
    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void nameFile() {
        file = directory.resolve("trial.db");
    }

    @Test
    void secondStoreInTheSameProcessIsRefusedByWhateverNameItCallsTheFile() throws Exception {
        Path link = directory.resolve("link.db");
        Path here = Path.of("").toAbsolutePath();
        try (Store first = Stores.open(file)) {
            Files.createSymbolicLink(link, file);
            for (String name : List.of(
                    "sqlite:" + file,
                    "jdbc:sqlite:" + file,
                    "sqlite:" + link,
                    "sqlite:" + here.relativize(file),
                    "sqlite:" + directory.resolve("../" + directory.getFileName() + "/trial.db"))) {
                assertError(ErrorCode.STORE_IN_USE, () -> Stores.open(name, 1))
                        .contains(file.toRealPath().toString(), "this process");
            }
            assertThat(first.start(0, List.of(Sample.pending("a")))).hasSize(1);
        }
        Stores.open(link).close();
    }

    @Test
    void secondStoreInTheSameProcessDoesNotTakeTheLockFromTheFirst() throws Exception {
        try (Store first = Stores.open(file)) {
            assertError(ErrorCode.STORE_IN_USE, () -> Stores.open(file));
            try (Child child = Child.start(file)) {
                assertThat(child.hear()).startsWith("[" + ErrorCode.STORE_IN_USE.label() + "]");
            }
            assertThat(first.nodes(0)).isEmpty();
        }
    }

    @Test
    void lockIsKeptEvenIfTheSystemPropertiesAreReplaced() throws Exception {
        try (Store first = Stores.open(file)) {
            System.getProperties().keySet().removeIf(key -> key.toString().endsWith("trial.db"));
            assertError(ErrorCode.STORE_IN_USE, () -> Stores.open(file)).contains("this process");
            System.gc();
            try (Child child = Child.start(file)) {
                assertThat(child.hear()).startsWith("[" + ErrorCode.STORE_IN_USE.label() + "]");
            }
            assertThat(first.nodes(0)).isEmpty();
        }
        Stores.open(file).close();
    }

    @Test
    void closingTwiceDoesNotGiveUpTheNextStoresFile() throws Exception {
        Store first = Stores.open(file);
        first.close();
        try (Store second = Stores.open(file)) {
            first.close();
            assertError(ErrorCode.STORE_IN_USE, () -> Stores.open(file));
            assertThat(second.nodes(0)).isEmpty();
        }
    }

    @Test
    void secondProcessGetsTheIdOfTheOwner() throws Exception {
        try (Store store = Stores.open(file);
                Child child = Child.start(file)) {
            assertThat(child.hear())
                    .startsWith("[" + ErrorCode.STORE_IN_USE.label() + "] Expected ")
                    .contains(
                            file.toRealPath().toString(),
                            "process " + ProcessHandle.current().pid());
            assertThat(store.shards()).isEqualTo(1);
        }
    }

    @Test
    void fileOfAKilledProcessIsOpenedAtOnceAndHasAllThatWasConfirmed() throws Exception {
        List<String> confirmed = new ArrayList<>();
        try (Child child = Child.start(file)) {
            assertThat(child.hear()).isEqualTo("open");
            assertError(ErrorCode.STORE_IN_USE, () -> Stores.open(file)).contains("process " + child.pid());
            while (confirmed.size() < 100) {
                confirmed.add(child.hear());
            }
            child.kill();
            Stream.iterate(child.hear(), line -> line != null && line.startsWith("child-"), line -> child.hear())
                    .forEach(confirmed::add);
        }
        try (Store store = Stores.open(file)) {
            List<RunRow> runs = Whole.runs(store);
            assertThat(runs).extracting(RunRow::workflowId).containsAll(confirmed);
            assertThat(runs.size()).isLessThanOrEqualTo(confirmed.size() + 1);
            List<Claimed.Run> claimed = store.claim(0, Sample.claim(10_000)).runs();
            assertThat(claimed).hasSameSizeAs(runs).allMatch(run -> run.row().takeovers() == 1);
        }
    }

    @Test
    void openingThatFailsGivesTheFileUpAgain() throws Exception {
        Files.writeString(file, "This is no database, and long enough to be looked at as one. ".repeat(50));
        assertError(ErrorCode.SCHEMA_DAMAGED, () -> Stores.open(file));
        Files.delete(file);
        Stores.open(file).close();
    }

    private List<String> filesThere() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void nothingButTheDatabaseIsLeftBehind() throws Exception {
        Stores.open(file).close();
        assertThat(filesThere()).containsExactly("trial.db");
        Path text = Files.writeString(directory.resolve("pom.xml"), "<project/>".repeat(500));
        assertError(ErrorCode.SCHEMA_DAMAGED, () -> Stores.open(text));
        assertThat(filesThere()).containsExactly("pom.xml", "trial.db");
    }

    @Test
    void lockFileOfADeadProcessIsUsedAndThenDeleted() throws Exception {
        Files.writeString(directory.resolve("trial.db.lock"), "4711");
        try (Store store = Stores.open(file)) {
            assertThat(filesThere()).contains("trial.db.lock");
            assertThat(store.shards()).isEqualTo(1);
        }
        assertThat(filesThere()).containsExactly("trial.db");
    }

    @Test
    void foreignFileIsNotUsedAsALockFile() throws Exception {
        Path users = Files.writeString(directory.resolve("trial.db.lock"), "# yarn lockfile v1\n");
        assertError(ErrorCode.STORE_UNAVAILABLE, () -> Stores.open(file))
                .contains("trial.db.lock", "Give the database another name");
        assertThat(users).hasContent("# yarn lockfile v1\n");
        Files.writeString(users, "");
        Stores.open(file).close();
        assertThat(users).exists();
    }

    @Test
    void lockFileThatWasReplacedIsLeftToItsNewOwner() throws Exception {
        Store first = Stores.open(file);
        Files.delete(directory.resolve("trial.db.lock"));
        Files.writeString(directory.resolve("trial.db.lock"), "4711");
        first.close();
        assertThat(directory.resolve("trial.db.lock")).hasContent("4711");
    }

    /** Each process opens and closes the store repeatedly; there must never be two owners. */
    @Test
    void manyProcessesThatOpenAndCloseNeverHaveTheFileTogether() throws Exception {
        Path inside = directory.resolve("inside");
        List<Turns> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(Turns.start(file, inside, Duration.ofSeconds(4)));
        }
        int turns = 0;
        for (Turns each : all) {
            assertThat(each.awaitEnd()).as(each::output).isZero();
            turns += each.turns();
        }
        assertThat(turns).isPositive();
        assertThat(inside).doesNotExist();
        Stores.open(file).close();
        assertThat(filesThere()).doesNotContain("trial.db.lock");
    }

    @Test
    void usersOwnConnectionsAreNotKeptOut() throws Exception {
        try (Store store = Stores.open(file);
                Connection connection = Stores.connect(file)) {
            connection.createStatement().execute("create table mine (id integer primary key)");
            connection.createStatement().execute("insert into mine values (1)");
            connection.close();
            assertError(ErrorCode.STORE_IN_USE, () -> Stores.open(file));
            assertThat(store.start(0, List.of(Sample.pending("a")))).hasSize(1);
        }
    }

    @Test
    void storesInMemoryAreApart() {
        try (Store one = Stores.open("sqlite::memory:", 1);
                Store other = Stores.open("jdbc:sqlite::memory:", 1)) {
            one.start(0, List.of(Sample.pending("a")));
            assertThat(one.current(0, "a")).isPresent();
            assertThat(other.current(0, "a")).isEmpty();
        }
    }
}
