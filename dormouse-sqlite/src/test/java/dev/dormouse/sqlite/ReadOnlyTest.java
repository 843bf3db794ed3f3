package dev.dormouse.sqlite;

import static dev.dormouse.sqlite.Errors.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.ListOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that is read while another process has it open. */
class ReadOnlyTest {
    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("trial.db");
    }

    private Dormouse owner() {
        return Dormouse.builder()
                .store("sqlite:" + file())
                .workflow("nap", String.class, String.class, (ctx, text) -> {
                    ctx.step("say", () -> {});
                    ctx.sleep(Duration.ofDays(1));
                    return text;
                })
                .open();
    }

    private Dormouse reader() {
        return Dormouse.builder().store("sqlite:" + file()).readOnly().open();
    }

    @Test
    void readerSeesWhatTheOwnerDoesAndChangesNothing() {
        try (Dormouse owner = owner();
                Dormouse reader = reader()) {
            owner.start("nap", "n", String.class, "x");
            WorkflowHandle<String> seen = reader.find("n", String.class).orElseThrow();
            assertThat(reader.list(ListOptions.ALL).runs()).hasSize(1);
            assertThat(seen.describe().workflowId()).isEqualTo("n");
            assertThat(seen.history()).isNotEmpty();
            assertError(ErrorCode.READ_ONLY, () -> seen.signal("wake"));
            assertError(ErrorCode.READ_ONLY, () -> seen.cancel("no"));
            assertError(ErrorCode.READ_ONLY, () -> seen.terminate("no"));
            assertError(ErrorCode.READ_ONLY, () -> reader.timers().after(Duration.ZERO, "handler", "x"));
            assertError(ErrorCode.READ_ONLY, () -> reader.publish("paid", "x"));
            assertError(ErrorCode.READ_ONLY, () -> reader.schedules().trigger("none"));
            assertThat(owner.find("n", String.class)
                            .orElseThrow()
                            .describe()
                            .status()
                            .isClosed())
                    .isFalse();
        }
    }

    @Test
    void fileIsReadWhileNoProcessHasItOpen() {
        try (Dormouse owner = owner()) {
            owner.start("nap", "n", String.class, "x");
        }
        try (Dormouse reader = reader()) {
            assertThat(reader.find("n", String.class)).isPresent();
        }
        owner().close();
    }

    @Test
    void missingFileIsNotCreated() {
        assertError(ErrorCode.UNKNOWN_STORE, this::reader);
        assertThat(Files.exists(file())).isFalse();
    }

    @Test
    void emptyFileIsNotMigrated() throws Exception {
        Files.createFile(file());
        assertError(ErrorCode.SCHEMA_MISSING, this::reader);
    }
}
