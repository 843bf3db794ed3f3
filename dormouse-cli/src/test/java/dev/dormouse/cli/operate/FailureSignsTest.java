package dev.dormouse.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.cli.CliResult;
import dev.dormouse.cli.FailingWorkflows;
import dev.dormouse.cli.ServerProcess;
import dev.dormouse.cli.Signs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The signs of failures in a separate process, as an operator sees them: a log line, a metric, the API responses for the
 * dashboard, health, and a finding of {@code doctor}. They match the table in docs/observability.md.
 */
@Tag("process")
@Timeout(180)
class FailureSignsTest {
    @TempDir
    private Path folder;

    private String store() {
        return "sqlite:" + folder.resolve("a.db");
    }

    @Test
    void everyKindOfFailureIsVisible() throws Exception {
        leaveRunOfRetiredType();
        Path log = folder.resolve("log.txt");
        try (ServerProcess serving = ServerProcess.start(
                log, "dev", "--port", "0", "--store", store(), "--module", FailingWorkflows.class.getName())) {
            for (String type : List.of("charging", "failing", "misspelling", "queueing")) {
                CliResult started =
                        CliResult.run("workflow", "start", type, "\"x\"", "--id", type, "--url", serving.url());
                assertThat(started.code()).as(started.err()).isZero();
            }
            Signs signs = new Signs(log, serving.url());
            failingStep(signs);
            failedRun(signs);
            stuckRun(signs);
            failingTimer(signs);
            failingSchedule(signs);
            unservedQueue(signs);
            missingType(signs);
            signs.ready();
        }
    }

    /** Leaves a due run of a type that the process does not register. */
    private void leaveRunOfRetiredType() {
        try (Dormouse before = Dormouse.builder()
                .store(store())
                .workflow("retired", String.class, String.class, (ctx, text) -> {
                    ctx.sleep(Duration.ofMillis(1));
                    ctx.sleep(Duration.ofSeconds(1));
                    return text;
                })
                .open()) {
            before.start("retired", "old", String.class, "x");
        }
    }

    private static void failingStep(Signs signs) {
        signs.logs("WARN", "Attempt 1 of step 'charge' in run", "workflow id 'charging'", "The bank does not answer.")
                .logs("WARN", "Attempt 2 of step 'charge'")
                .metric("dormouse_steps_seconds_count{", "step=\"charge\"", "outcome=\"failed\"")
                .api("/workflows/charging", "The bank does not answer.")
                .prints(List.of("workflow", "show", "charging"), "The bank does not answer.")
                .ready()
                .doctor("! steps", "have failed and wait for their next attempt");
    }

    private static void failedRun(Signs signs) {
        signs.logs("WARN", "of workflow id 'failing' (type 'failing') has failed")
                .metric("dormouse_runs_closed_seconds_count{", "status=\"failed\"")
                .api("/overview", "\"failed\":{\"count\":1,")
                .prints(List.of("workflow", "list", "--status", "failed"), "failing")
                .ready()
                .doctor("! failed", "1 runs have failed or timed out", "'failing'");
    }

    private static void stuckRun(Signs signs) {
        signs.logs("WARN", "of workflow id 'misspelling'", "grteeting", "[DM1001]")
                .metric("dormouse_runs_stuck 1.0")
                .api("/overview", "\"stuck\":{\"count\":1,")
                .prints(List.of("workflow", "show", "misspelling"), "DM1001")
                .ready()
                .doctor("! stuck", "1 runs are stuck");
    }

    private static void failingTimer(Signs signs) {
        signs.logs("WARN", "Attempt 1 of handler 'remind' for timer 'remind-1'", "No mail server.")
                .metric("dormouse_steps_seconds_count{", "step=\"remind\"", "outcome=\"failed\"")
                .api("/timers/remind-1", "No mail server.")
                .prints(List.of("timer", "show", "remind-1"), "No mail server.")
                .ready()
                .doctor("! timers", "have failed and wait for their next attempt");
    }

    private static void failingSchedule(Signs signs) {
        signs.logs("WARN", "Attempt 1 of handler 'report' for timer 'nightly", "No printer.")
                .metric("dormouse_steps_seconds_count{", "step=\"report\"", "outcome=\"failed\"")
                .api("/schedules", "\"id\":\"nightly\"", "No printer.")
                .prints(List.of("schedule", "show", "nightly"), "last failure", "No printer.")
                .ready()
                .doctor("! schedules", "1 schedules have failed the last time", "'nightly'");
    }

    private static void unservedQueue(Signs signs) {
        String text = "No living node executes workflow type 'failing' from queue 'unserved'";
        signs.logs("WARN", text, "'queued'")
                .metric("dormouse_timers_overdue ")
                .api("/overview", text)
                .prints(List.of("workflow", "show", "queued"), text)
                .ready()
                .doctor("! unserved", text);
    }

    private static void missingType(Signs signs) {
        String text = "No living node executes workflow type 'retired', but workflow id 'old' has been due since";
        signs.logs("WARN", text)
                .metric("dormouse_timers_overdue 2.0")
                .api("/overview", text)
                .prints(List.of("workflow", "show", "old"), text)
                .ready()
                .doctor("! unserved", text)
                .doctor("! overdue", "2 overdue");
    }
}
