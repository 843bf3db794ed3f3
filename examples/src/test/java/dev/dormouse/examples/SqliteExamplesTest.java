package dev.dormouse.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.dormouse.Dormouse;
import dev.dormouse.examples.approval.ApprovalExample;
import dev.dormouse.examples.approval.FixedApprovalExample;
import dev.dormouse.examples.travel.TripExample;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.ProgramProcess;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Examples with one process, which starts the workflow and takes the commands. */
@Tag("process")
class SqliteExamplesTest extends WaitingExamples {

    @Override
    RunningExample open(Class<?> example, String duration) throws IOException {
        ProgramProcess program =
                ProgramProcess.startAtTerminal(directory, example, "both", "sqlite:example.db", duration);
        program.awaitOutput("Waiting. You can");
        return new RunningExample(program, program);
    }

    @Test
    void withoutApprovalItIsRejectedAtTheDeadline() throws Exception {
        try (RunningExample scene = open(FixedApprovalExample.class, "1s")) {
            scene.starter().awaitOutput("The result: REJECTED");
        }
    }

    @Test
    void workflowResumesInTheNextProcess() throws Exception {
        try (RunningExample first = open(ApprovalExample.class, "1h")) {
            first.starter().kill();
            first.starter().awaitExitCode();
        }
        try (RunningExample second = open(ApprovalExample.class, "-1s")) { // a new one would be rejected at once
            second.type("approve");
            second.starter().awaitOutput("The result: APPROVED");
        }
    }

    @Test
    void bookingsOfAKilledProcessAreCancelledByTheNext() throws Exception {
        try (RunningExample first = open(TripExample.class, "1h")) {
            first.starter().awaitOutput("Booked a hotel for ada");
            awaitSleep("trip-1");
        }
        try (RunningExample second = open(TripExample.class, "1h")) {
            second.type("cancel");
            second.starter().awaitOutput("(?s)Cancelled hotel H1.*Cancelled flight F1");
            second.starter().awaitExitCode();
        }
    }

    /** Waits until the sleep is stored, because output may come before the commit. */
    private void awaitSleep(String workflowId) {
        await().ignoreExceptions().atMost(Duration.ofSeconds(30)).until(() -> {
            try (Dormouse reader = Dormouse.builder()
                    .store("sqlite:" + directory.resolve("example.db"))
                    .anyRemoteWorkflow()
                    .readOnly()
                    .open()) {
                return reader.find(workflowId, String.class)
                                .orElseThrow()
                                .describe()
                                .status()
                        == RunStatus.WAITING;
            }
        });
    }

    @Test
    void wrongArgumentsAreRefusedWithASentence() throws Exception {
        try (ProgramProcess program =
                ProgramProcess.start(directory, ApprovalExample.class, "start", "sqlite:x.db", "soon")) {
            assertThat(program.awaitExitCode()).isEqualTo(1);
            assertThat(program.errors())
                    .startsWith("Expected a duration such as 30s")
                    .hasLineCount(1);
        }
    }
}
