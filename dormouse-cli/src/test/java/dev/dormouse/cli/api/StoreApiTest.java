package dev.dormouse.cli.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.cli.CliResult;
import dev.dormouse.server.DormouseServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands on a SQLite file that no process serves. */
class StoreApiTest {
    @TempDir
    private Path folder;

    private Path file;
    private String store;

    @BeforeEach
    void migrate() {
        file = folder.resolve("store.db");
        store = "sqlite:" + file;
        assertThat(CliResult.run("migrate", "--store", store).out()).isEqualTo("The tables were brought up to date.\n");
        assertThat(CliResult.run("migrate", "--store", store).out()).isEqualTo("The tables are up to date.\n");
    }

    @Test
    void startedRunIsExecutedLater() {
        CliResult started = CliResult.run("workflow", "start", "greeting", "\"Ada\"", "--id", "g", "--store", store);
        assertThat(started.err()).isEqualTo("It begins when a process with its code opens this store.\n");
        assertThat(started.code()).isZero();
        assertThat(CliResult.run("workflow", "run", "greeting", "\"Ada\"", "--store", store)
                        .code())
                .isEqualTo(5);
        assertThat(CliResult.run("workflow", "list", "--store", store).out()).contains("g ", "PENDING");
        try (Dormouse dormouse = Dormouse.builder()
                .store(store)
                .workflow("greeting", String.class, String.class, (ctx, name) -> "Hello, " + name + "!")
                .open()) {
            assertThat(dormouse.find("g", String.class).orElseThrow().result()).isEqualTo("Hello, Ada!");
        }
        assertThat(CliResult.run("workflow", "result", "g", "--store", store).out())
                .isEqualTo("\"Hello, Ada!\"\n");
    }

    @Test
    void storeInUseCanBeReadButNotChanged() {
        try (Dormouse dormouse = Dormouse.builder()
                .store(store)
                .workflow("greeting", String.class, String.class, (ctx, name) -> "Hello, " + name + "!")
                .open()) {
            dormouse.start("greeting", "g", String.class, "Ada").result();
            assertThat(CliResult.run("workflow", "show", "g", "--store", store).out())
                    .contains("COMPLETED");
            CliResult refused = CliResult.run("workflow", "start", "greeting", "--store", store);
            assertThat(refused.code()).isEqualTo(4);
            assertThat(refused.err()).contains("[DM2004]", "Reading works", "DormouseServer");
            assertThat(CliResult.run("migrate", "--store", store).code()).isEqualTo(4);
        }
    }

    @Test
    void serverFileOfAKilledServerIsIgnored() throws IOException {
        Files.writeString(folder.resolve("store.db.server"), "{\"url\": \"http://127.0.0.1:1\", \"token\": \"x\"}");
        assertThat(CliResult.run("workflow", "list", "--store", store).code()).isZero();
        Files.writeString(folder.resolve("store.db.server"), "{\"url\": ");
        assertThat(CliResult.run("workflow", "list", "--store", store).code()).isZero();
    }

    @Test
    void serverOfAnotherStoreOnTheSamePortIsNotUsed() throws IOException {
        assertThat(CliResult.run("workflow", "start", "greeting", "\"Ada\"", "--id", "mine", "--store", store)
                        .code())
                .isZero();
        try (Dormouse other = Dormouse.builder()
                        .store("sqlite:" + folder.resolve("other.db"))
                        .open();
                DormouseServer server =
                        DormouseServer.builder().dormouse(other).port(0).start()) {
            String left = "{\"url\": \"" + server.url() + "\", \"token\": \"" + DormouseServer.newToken() + "\"}";
            Files.writeString(folder.resolve("store.db.server"), left);
            CliResult list = CliResult.run("workflow", "list", "--store", store);
            assertThat(list.code()).as(list.err()).isZero();
            assertThat(list.out()).contains("mine");
        }
    }

    @Test
    void misspelledNameCreatesNoFile() {
        CliResult ran = CliResult.run("workflow", "start", "greeting", "--store", store + "x");
        assertThat(ran.code()).isEqualTo(5);
        assertThat(ran.err()).contains("there is no such file");
        assertThat(folder.resolve("store.dbx")).doesNotExist();
    }

    @Test
    void otherFilesAreRejected() throws IOException {
        Path other = Files.writeString(folder.resolve("letter.txt"), "Dear Ada, ".repeat(500));
        for (String command : new String[] {"workflow", "timer", "schedule", "node"}) {
            CliResult ran = CliResult.run(command, "list", "--store", "sqlite:" + other);
            assertThat(ran.code()).as(ran.err()).isNotZero();
            assertThat(ran.err()).startsWith("dormouse: [DM").doesNotContain("\tat ");
        }
        Path empty = Files.createFile(folder.resolve("empty.db"));
        CliResult ran = CliResult.run("doctor", "--store", "sqlite:" + empty);
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out()).contains("✗ schema", "dormouse migrate");
    }

    @Test
    void emptyStorePrintsWhatToDo() {
        assertThat(CliResult.run("workflow", "list", "--store", store).out()).startsWith("No runs. Start one with");
        assertThat(CliResult.run("timer", "list", "--store", store).out()).startsWith("Nothing is due.");
        assertThat(CliResult.run("schedule", "list", "--store", store).out()).startsWith("No schedules.");
        assertThat(CliResult.run("workflow", "list", "--store", store, "-o", "json")
                        .out())
                .isEqualTo("[ ]\n");
        assertThat(CliResult.run("doctor", "--store", store).out()).contains("! nodes");
    }
}
