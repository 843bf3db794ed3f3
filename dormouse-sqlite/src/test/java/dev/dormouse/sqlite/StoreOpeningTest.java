package dev.dormouse.sqlite;

import static dev.dormouse.sqlite.Errors.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.sqlite.sql.Schema;
import dev.dormouse.sqlite.sql.UuidBytes;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreConfig;
import dev.dormouse.store.StoreProvider;
import dev.dormouse.store.event.Note;
import dev.dormouse.store.jdbc.Migrations;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** Locations that can be opened, and the errors for all others. */
class StoreOpeningTest {
    private static final int PAGE = 4096;

    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void nameFile() {
        file = directory.resolve("trial.db");
    }

    private void makeStoreWith(int runs) {
        try (Store store = Stores.open(file)) {
            store.start(0, Sample.leased("wf-", runs));
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = Stores.connect(file)) {
            connection.createStatement().execute(sql);
        }
    }

    private StoreConfig configured(Optional<SQLiteDataSource> dataSource, boolean migrate) {
        return new StoreConfig(
                "sqlite:" + file, dataSource.map(each -> each), "dormouse", 1, migrate, InstantSource.system());
    }

    @Test
    void providerIsFoundByItsUrls() {
        List<StoreProvider> providers = ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.accepts("sqlite:trial.db"))
                .toList();
        assertThat(providers).hasSize(1);
        assertThat(providers.get(0).accepts("sqlite::memory:")).isTrue();
        assertThat(providers.get(0).accepts("jdbc:sqlite:trial.db")).isTrue();
        assertThat(providers.get(0).accepts("jdbc:postgresql://localhost/x")).isFalse();
        assertThat(providers.get(0).accepts("trial.db")).isFalse();
        assertThat(providers.get(0).urlForm()).contains("sqlite:FILE");
    }

    @Test
    void writtenRunsAreThereAfterOpeningAgain() {
        makeStoreWith(3);
        try (Store store = Stores.open(file)) {
            assertThat(Whole.runs(store)).hasSize(3).allMatch(run -> run.status() == RunStatus.RUNNING);
        }
    }

    @Test
    void emptyFileBecomesAStore() throws Exception {
        Files.createFile(file);
        makeStoreWith(1);
    }

    @Test
    void nameOfTheFileMayBeOdd() {
        file = directory.resolve("it's a \"trial\" 100% #1 ü &;.db");
        makeStoreWith(2);
        try (Store store = Stores.open(file)) {
            assertThat(Whole.runs(store)).hasSize(2);
            store.backup(directory.resolve("copy of it's %20 #.db"));
        }
    }

    @Test
    void usersTablesMayBeInTheSameFile() throws Exception {
        execute("create table run (id integer primary key)");
        makeStoreWith(1);
        execute("insert into run values (1)");
    }

    @Test
    void strangeUrlsAreRefused() {
        for (String url : List.of(
                "sqlite:",
                "sqlite:  ",
                "jdbc:sqlite:",
                "sqlite::resource:x.db",
                "sqlite:file:trial.db",
                "jdbc:sqlite:" + file + "?journal_mode=DELETE",
                "sqlite:\0")) {
            assertError(ErrorCode.BAD_SETTING, () -> Stores.open(url, 1));
        }
    }

    @Test
    void passwordInAUrlIsNotRepeated() {
        assertError(ErrorCode.BAD_SETTING, () -> Stores.open("sqlite:x.db?password=geheim", 1))
                .contains("sqlite:x.db?password=***")
                .doesNotContain("geheim");
    }

    @Test
    void directoryIsRefused() {
        assertError(ErrorCode.STORE_UNAVAILABLE, () -> Stores.open(directory))
                .contains(directory.toString(), "is a directory");
    }

    @Test
    void missingDirectoryIsNamed() {
        Path missing = directory.resolve("missing");
        assertError(ErrorCode.STORE_UNAVAILABLE, () -> Stores.open(missing.resolve("trial.db")))
                .contains("Create " + missing);
    }

    @Test
    void linkToNowhereIsRefused() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link.db"), file);
        assertError(ErrorCode.STORE_UNAVAILABLE, () -> Stores.open(link)).contains(link.toString());
        assertThat(file).doesNotExist();
    }

    /** A place where not even root can write. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void placeThatCannotBeWrittenIsRefused() {
        assertError(ErrorCode.STORE_UNAVAILABLE, () -> Stores.open(Path.of("/proc/trial.db")))
                .contains("/proc/trial.db", "permissions");
    }

    @Test
    void lockFileThatCannotBeWrittenIsNamed() throws Exception {
        Files.createDirectory(directory.resolve("trial.db.lock"));
        assertError(ErrorCode.STORE_UNAVAILABLE, () -> Stores.open(file)).contains("trial.db.lock");
    }

    @Test
    void fileThatIsNoDatabaseIsRefusedAndLeftAsItIs() throws Exception {
        String text = "All work and no play makes Jack a dull boy.\n".repeat(500);
        Files.writeString(file, text);
        assertError(ErrorCode.SCHEMA_DAMAGED, () -> Stores.open(file)).contains(file.toString(), "something else");
        assertThat(file).hasContent(text);
    }

    @Test
    void fileThatWasCutShortIsRefused() throws Exception {
        makeStoreWith(1_000);
        try (var channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
            channel.truncate(10 * PAGE);
        }
        assertError(ErrorCode.SCHEMA_DAMAGED, () -> Stores.open(file)).contains(file.toString(), "damaged");
    }

    @Test
    void damageInTheMiddleIsReportedWhenItIsMetAndNotCopiedIntoABackup() throws Exception {
        try (Store store = Stores.open(file)) {
            store.start(
                    0,
                    IntStream.range(0, 2_000)
                            .mapToObj(i -> Sample.pending("wf-" + i))
                            .toList());
        }
        byte[] bytes = Files.readAllBytes(file);
        for (int i = bytes.length / 2; i < bytes.length - 2 * PAGE; i++) {
            bytes[i] ^= 0x5a;
        }
        Files.write(file, bytes);
        try (Store store = Stores.open(file)) {
            assertError(ErrorCode.SCHEMA_DAMAGED, () -> store.backup(directory.resolve("copy.db")));
            assertError(ErrorCode.SCHEMA_DAMAGED, () -> Whole.runs(store)).contains("restore a backup");
        }
        assertThat(directory.resolve("copy.db")).doesNotExist();
    }

    @Test
    void newerSchemaIsRefused() throws Exception {
        makeStoreWith(1);
        execute("insert into dormouse_schema (version, name) values (99, 'from_the_future')");
        assertError(ErrorCode.SCHEMA_TOO_NEW, () -> Stores.open(file)).contains("99");
    }

    @Test
    void fileOfTheFirstVersionIsUpgradedWithItsRows() throws Exception {
        UUID runId = Sample.newId();
        try (Connection connection = Stores.connect(file)) {
            Migrations.of(Schema.class, "V1__tables.sql").apply(connection, Schema.dialect(1), true);
            try (PreparedStatement run = connection.prepareStatement("""
                    insert into dormouse_run (
                      shard, run_id, workflow_id, current, type, lane, status, lease, owner, wake_at, wake_reason,
                      next_seq, checksum, mail, consumed, takeovers, refused, trouble, created_at)
                    values (0, ?, 'a', 1, 'Order', 'order', 1, 7, 'node', 4000000000000000, 1, 1, 1, 0, 0, 0, '', '', 1)
                    """)) {
                run.setBytes(1, UuidBytes.toBytes(runId));
                run.executeUpdate();
            }
        }
        assertError(ErrorCode.SCHEMA_MISSING, () -> Stores.open(configured(Optional.empty(), false)));
        try (Store store = Stores.open(file)) {
            assertThat(store.current(0, "a").orElseThrow().runId()).isEqualTo(runId);
            store.note(0, List.of(new Note(runId, 7, 1, 1, new byte[1])));
            assertThat(store.notes(0, runId)).hasSize(1);
            assertThat(store.define(0, "a", 1, new byte[1])).isTrue();
        }
        Stores.open(configured(Optional.empty(), false)).close();
    }

    @Test
    void missingSchemaIsRefusedWhereItMayNotBeCreated() throws Exception {
        assertError(ErrorCode.SCHEMA_MISSING, () -> Stores.open(configured(Optional.empty(), false)));
        makeStoreWith(1);
        Stores.open(configured(Optional.empty(), false)).close();
    }

    @Test
    void missingTableOrIndexIsNamed() throws Exception {
        makeStoreWith(1);
        execute("drop index dormouse_run_current");
        assertError(ErrorCode.SCHEMA_DAMAGED, () -> Stores.open(file)).contains("dormouse_run_current");
        execute("drop table dormouse_inbox");
        assertError(ErrorCode.SCHEMA_DAMAGED, () -> Stores.open(file)).contains("dormouse_inbox");
    }

    @Test
    void printedSchemaIsTheOneThatIsCreated() throws Exception {
        try (Connection connection = Stores.connect(file)) {
            for (String statement :
                    Pattern.compile(";\\s*\\n").splitAsStream(Schema.print(1)).toList()) {
                connection.createStatement().execute(statement);
            }
        }
        Stores.open(configured(Optional.empty(), false)).close();
    }

    @Test
    void dataSourceNamesTheFile() throws Exception {
        SQLiteDataSource dataSource = new SQLiteDataSource();
        dataSource.setUrl("jdbc:sqlite:" + file);
        assertThat(new SqliteStoreProvider().accepts(dataSource)).isTrue();
        try (Store store = Stores.open(configured(Optional.of(dataSource), true))) {
            store.start(0, List.of(Sample.pending("a")));
            assertError(ErrorCode.STORE_IN_USE, () -> Stores.open(file));
        }
        try (Store store = Stores.open(file)) {
            assertThat(Whole.runs(store)).hasSize(1);
        }
    }

    @Test
    void dataSourceInMemoryIsRefused() {
        SQLiteDataSource dataSource = new SQLiteDataSource();
        dataSource.setUrl("jdbc:sqlite::memory:");
        assertError(ErrorCode.BAD_SETTING, () -> Stores.open(configured(Optional.of(dataSource), true)))
                .contains("memory");
    }

    @Test
    void closedStoreSaysThatItIsClosed() {
        Store store = Stores.open(file);
        store.close();
        store.close();
        assertError(ErrorCode.DORMOUSE_CLOSED, () -> store.current(0, "a")).contains(file.toString());
        assertError(ErrorCode.DORMOUSE_CLOSED, () -> store.claim(0, Sample.claim(1)));
    }

    @Test
    void nothingIsLeftBesideAClosedFile() throws Exception {
        makeStoreWith(10);
        try (var files = Files.list(directory)) {
            assertThat(files.map(each -> each.getFileName().toString())).containsExactly("trial.db");
        }
    }
}
