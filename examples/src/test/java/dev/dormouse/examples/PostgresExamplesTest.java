package dev.dormouse.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.examples.approval.ApprovalExample;
import dev.dormouse.support.ProgramProcess;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Examples with two processes: one starts and executes the workflow, the other has its interface and takes the
 * commands.
 */
@Tag("process")
class PostgresExamplesTest extends WaitingExamples {
    private static EmbeddedPostgres postgres;

    @BeforeAll
    static void startPostgres() throws IOException {
        postgres = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setPGStartupWait(Duration.ofSeconds(60))
                .start();
    }

    @AfterAll
    static void stopPostgres() throws IOException {
        postgres.close();
    }

    private static String url() {
        return postgres.getJdbcUrl("postgres", "postgres");
    }

    private Path folder(String name) throws IOException {
        return Files.createDirectory(directory.resolve(name));
    }

    @Override
    RunningExample open(Class<?> example, String duration) throws IOException {
        ProgramProcess updater = ProgramProcess.startAtTerminal(folder("updater"), example, "update", url());
        updater.awaitOutput("Ready. You can");
        ProgramProcess starter = ProgramProcess.startAtTerminal(folder("starter"), example, "start", url(), duration);
        starter.awaitOutput("Waiting. You can");
        return new RunningExample(starter, updater);
    }

    @Test
    void commandArgumentIsSentAndTheProgramEnds() throws Exception {
        try (RunningExample scene = open(ApprovalExample.class, "1h");
                ProgramProcess other =
                        ProgramProcess.start(folder("other"), ApprovalExample.class, "update", url(), "extend", "1s")) {
            other.awaitOutput("Sent.");
            assertThat(other.awaitExitCode()).isZero();
            scene.starter().awaitOutput("The result: REJECTED");
            scene.starter().awaitExitCode();
            scene.type("approve");
            scene.updater().awaitOutput("No: \\[DM3002\\]");
        }
    }
}
