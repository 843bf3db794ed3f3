package dev.dormouse.examples.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.ProgramProcess;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class TrialTest {
    private final RecordedMail mail = new RecordedMail();

    @Test
    void userIsWelcomedAndToldWhenTheTrialIsOver() {
        Duration length = Duration.ofMillis(200);
        try (Dormouse dormouse = Dormouse.builder()
                .store("sqlite::memory:")
                .workflow(Trial.class, () -> new TrialWorkflow(length))
                .activities(Mail.class, mail)
                .open()) {
            long begin = System.nanoTime();
            String result = dormouse.workflow(Trial.class, "trial-ada").run("ada");
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(length);
            assertThat(result).isEqualTo("done");
            assertThat(mail.sent()).containsExactly("welcome ada", "over ada");
        }
    }

    /** The program of the README: killed on the first of its 30 days, and resumed. */
    @Test
    void exampleSleepsForThirtyDaysAcrossProcesses(@TempDir Path directory) throws Exception {
        try (ProgramProcess example = ProgramProcess.start(directory, TrialExample.class)) {
            example.awaitOutput("To ada: welcome!");
            example.kill();
            example.awaitExitCode();
        }
        try (Dormouse dormouse = Dormouse.builder()
                .store("sqlite:" + directory.resolve("trial.db"))
                .workflow(Trial.class, TrialWorkflow::new)
                .activities(Mail.class, mail)
                .open()) {
            WorkflowHandle<String> trial =
                    dormouse.find("trial-ada", String.class).orElseThrow();
            await().until(() -> trial.describe().status() == RunStatus.WAITING);
            RunDescription run = trial.describe();
            assertThat(Duration.between(run.startedAt(), run.wakeAt().orElseThrow()))
                    .isBetween(Duration.ofDays(30), Duration.ofDays(30).plusMinutes(5));
        }
    }
}
