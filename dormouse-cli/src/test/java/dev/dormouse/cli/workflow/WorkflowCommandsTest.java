package dev.dormouse.cli.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.cli.CliResult;
import dev.dormouse.cli.LiveServerTest;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The {@code workflow} commands against a live node. */
class WorkflowCommandsTest extends LiveServerTest {

    @Test
    void workflowIsStartedQueriedUpdatedAndSignalled() {
        assertThat(ok("workflow", "start", APPROVAL, "\"lamp\"", "--id", "a-1", "--memo", "who=ada"))
                .startsWith("Started a-1: ")
                .contains("type Approval");
        assertThat(ok("workflow", "start", APPROVAL, "\"lamp\"", "--id", "a-1")).startsWith("There was already a-1: ");
        assertThat(ok("workflow", "query", "a-1", "what")).isEqualTo("\"lamp\"\n");
        assertThat(ok("workflow", "update", "a-1", "raise", "2")).isEqualTo("3\n");
        assertThat(ok("workflow", "show", "a-1")).contains("Waits for ", "memo", "who=ada", "\"lamp\"");
        assertThat(ok("workflow", "trace", "a-1")).contains("note", "░", "await");
        fails(7, "[DM3007]", "workflow", "result", "a-1");
        assertThat(ok("workflow", "signal", "a-1", "approve", "\"ada\"")).isEqualTo("Signalled a-1.\n");
        assertThat(ok("workflow", "result", "a-1", "--wait", "30s")).isEqualTo("\"lamp x 3 by ada\"\n");
        fails(4, "[DM3002]", "workflow", "signal", "a-1", "approve", "\"bob\"");
        assertThat(ok("workflow", "list", "a-", "--status", "completed", "-o", "ids"))
                .contains("a-1\n");
        assertThat(ok("history", "show", "a-1")).contains("RunStarted", "RunCompleted");
    }

    @Test
    void runWaitsForTheResult() {
        CliResult ran = CliResult.run("workflow", "run", "greeting", "\"Ada\"", "--url", url(), "--timeout", "30s");
        assertThat(ran.out()).isEqualTo("\"Hello, Ada!\"\n");
        fails(1, "no bread", "workflow", "run", "failing", "\"no bread\"", "--id", "f-1", "--timeout", "30s");
        assertThat(ok("workflow", "list", "--status", "failed", "--type", "failing"))
                .contains("f-1", "FAILED");
        assertThat(ok("workflow", "retry", "f-1")).isEqualTo("Retried f-1.\n");
    }

    @Test
    void moveEndsASleep() {
        ok("workflow", "start", "nap", "5", "--id", "n-1");
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> ok("workflow", "show", "n-1", "-o", "json").contains("\"canMove\" : true"));
        assertThat(ok("workflow", "move", "n-1", "--in", "0s")).startsWith("Moved wait ");
        assertThat(ok("workflow", "result", "n-1", "--wait", "30s")).isEqualTo("\"slept\"\n");
        fails(4, "that can be moved", "workflow", "move", "n-1", "--in", "0s");
    }

    @Test
    void idsAreReadFromStandardInput() {
        startApproval("m-1");
        startApproval("m-2");
        CliResult ran = CliResult.runWithInput(
                "m-1\nm-2\nm-unknown\n", "workflow", "terminate", "-", "--reason", "over", "--store", store());
        assertThat(ran.out()).contains("Terminated m-1.", "Terminated m-2.");
        assertThat(ran.err()).contains("m-unknown", "1 of 3 failed.");
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ok("workflow", "list", "m-")).contains("TERMINATED").doesNotContain("WAITING");
        startApproval("m-3");
        assertThat(ok("workflow", "cancel", "m-3")).isEqualTo("Requested cancellation of m-3.\n");
    }

    @Test
    void resetStartsANewRun() {
        startApproval("r-1");
        ok("workflow", "signal", "r-1", "approve", "\"ada\"");
        ok("workflow", "result", "r-1", "--wait", "30s");
        assertThat(ok("workflow", "reset", "r-1", "--events", "1")).startsWith("Reset r-1: ");
        fails(3, "[DM3001]", "workflow", "reset", "r-none", "--events", "1");
    }

    @Test
    void unknownIdsEndWithNotFound() {
        fails(3, "[DM3001]", "workflow", "show", "unknown");
        fails(3, "[DM3001]", "workflow", "trace", "un/known %41");
        fails(3, "[DM3001]", "workflow", "signal", "unknown", "approve");
        fails(3, "[DM3001]", "workflow", "result", "unknown");
        fails(3, "[DM3001]", "history", "export", "unknown");
    }
}
