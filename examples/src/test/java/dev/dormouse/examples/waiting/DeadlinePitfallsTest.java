package dev.dormouse.examples.waiting;

import static dev.dormouse.examples.waiting.WaitingNodes.LATE;
import static dev.dormouse.examples.waiting.WaitingNodes.PATIENCE;
import static dev.dormouse.examples.waiting.WaitingNodes.SOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.UpdatableTimer;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.examples.approval.Approval;
import dev.dormouse.examples.approval.ApprovalWorkflow;
import dev.dormouse.inspect.RunStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pitfalls of deadlines. docs/waiting.md quotes the workflows. */
@Timeout(120)
class DeadlinePitfallsTest {

    static class AsksTheClock implements Request {
        private boolean approved;

        @Override
        public String execute(Instant deadline) {
            Workflow.await(() -> approved || Workflow.now().isAfter(deadline)); // [DM4006]
            return approved ? "APPROVED" : "REJECTED";
        }

        @Override
        public void approve() {
            approved = true;
        }
    }

    @Test
    void conditionThatReadsTheClockIsNotEvaluatedByTime() {
        String log = WaitingNodes.logOf(() -> {
            try (Dormouse dormouse = WaitingNodes.inMemory(Request.class, AsksTheClock::new)) {
                Request request = dormouse.workflow(Request.class, "r");
                Instant deadline = Instant.now().plus(SOON);
                WorkflowHandle<String> handle = dormouse.start(() -> request.execute(deadline));
                WaitingNodes.pause(SOON.multipliedBy(3));
                assertThat(handle.describe().status()).isEqualTo(RunStatus.WAITING);
                assertThat(handle.describe().wakeAt()).isEmpty();
                request.extendDeadline(deadline); // any message makes the run evaluate its condition
                assertThat(handle.result(PATIENCE)).isEqualTo("REJECTED");
            }
        });
        assertThat(log).contains("[DM4006] Expected a deadline for a wait");
    }

    static class WaitsForAnotherTimer implements Request {
        private final UpdatableTimer timer = Workflow.newUpdatableTimer();

        @Override
        public String execute(Instant deadline) {
            Workflow.sleepUntil(deadline); // does not know of the timer
            return "REJECTED";
        }

        @Override
        public void extendDeadline(Instant later) {
            timer.updateWakeUpTime(later); // no wait uses it
        }
    }

    @Test
    void timerWithoutAWaitMovesNothing() {
        try (Dormouse dormouse = WaitingNodes.inMemory(Request.class, WaitsForAnotherTimer::new)) {
            Request request = dormouse.workflow(Request.class, "r");
            Instant deadline = Instant.now().plus(SOON);
            WorkflowHandle<String> handle = dormouse.signalWithStart(
                    () -> request.execute(deadline), () -> request.extendDeadline(deadline.plus(LATE)));
            assertThat(handle.result(PATIENCE)).isEqualTo("REJECTED");
        }
    }

    static class OverwritesTheExtension implements Request {
        private Instant end;

        @Override
        public String execute(Instant deadline) {
            end = deadline; // overwrites an extension that arrived before this line
            while (Workflow.now().isBefore(end)) {
                Workflow.sleepUntil(end);
            }
            return "REJECTED";
        }

        @Override
        public void extendDeadline(Instant later) {
            end = later;
        }
    }

    @Test
    void extensionBeforeTheFirstLineIsLostInAFieldAndKeptInATimer() {
        Instant deadline = Instant.now().plus(SOON);
        try (Dormouse dormouse = WaitingNodes.inMemory(Request.class, OverwritesTheExtension::new)) {
            Request request = dormouse.workflow(Request.class, "r");
            WorkflowHandle<String> handle = dormouse.signalWithStart(
                    () -> request.execute(deadline), () -> request.extendDeadline(deadline.plus(LATE)));
            assertThat(handle.result(PATIENCE)).isEqualTo("REJECTED");
        }
        try (Dormouse dormouse = WaitingNodes.inMemory(Approval.class, ApprovalWorkflow::new)) {
            Approval approval = dormouse.workflow(Approval.class, "a");
            WorkflowHandle<String> handle = dormouse.signalWithStart(
                    () -> approval.execute(deadline), () -> approval.extendDeadline(deadline.plus(LATE)));
            WaitingNodes.awaitPause(handle);
            assertThat(approval.deadline()).isEqualTo(deadline.plus(LATE));
            approval.approve();
            assertThat(handle.result(PATIENCE)).isEqualTo("APPROVED");
        }
    }

    static class DecidesTwice implements Request {
        private boolean approved;

        @Override
        public String execute(Instant deadline) {
            Workflow.await(deadline, () -> approved);
            Workflow.sleep(Duration.ofSeconds(2)); // or a step: an approval can arrive in the meantime
            return approved ? "APPROVED" : "REJECTED"; // also counts an approval that came too late
        }

        @Override
        public void approve() {
            approved = true;
        }
    }

    static class DecidesOnce implements Request {
        private boolean approved;

        @Override
        public String execute(Instant deadline) {
            boolean inTime = Workflow.await(deadline, () -> approved);
            Workflow.sleep(Duration.ofSeconds(2));
            return inTime ? "APPROVED" : "REJECTED";
        }

        @Override
        public void approve() {
            approved = true;
        }
    }

    @Test
    void approvalAfterTheDeadlineCountsForCodeThatChecksTwice() {
        try (Dormouse dormouse = WaitingNodes.inMemory(Request.class, DecidesTwice::new)) {
            assertThat(approveTooLate(dormouse)).isEqualTo("APPROVED");
        }
        try (Dormouse dormouse = WaitingNodes.inMemory(Request.class, DecidesOnce::new)) {
            assertThat(approveTooLate(dormouse)).isEqualTo("REJECTED");
        }
    }

    private static String approveTooLate(Dormouse dormouse) {
        Request request = dormouse.workflow(Request.class, "r");
        WorkflowHandle<String> handle = dormouse.start(() -> request.execute(Instant.now()));
        WaitingNodes.awaitEvent(handle, "TimerScheduled");
        request.approve();
        return handle.result(PATIENCE);
    }

    static class CountsFromTheSignal implements Request {
        private boolean approved;

        @Override
        public String execute(Instant deadline) {
            Workflow.await(() -> approved);
            Instant from = Workflow.now(); // when the store accepted the approval, not when it was read
            Workflow.await(Duration.ofSeconds(1), () -> false); // ends a second after that
            return from.toString();
        }

        @Override
        public void approve() {
            approved = true;
        }
    }

    @Test
    void durationsCountFromTheAcceptanceOfTheLastMessage(@TempDir Path directory) {
        Path file = directory.resolve("request.db");
        try (Dormouse worker = WaitingNodes.worker(file, Request.class, CountsFromTheSignal::new)) {
            Request request = worker.workflow(Request.class, "r");
            WaitingNodes.awaitPause(worker.start(() -> request.execute(Instant.MAX)));
        }
        try (Dormouse client = WaitingNodes.client(file, Request.class)) {
            client.workflow(Request.class, "r").approve();
        }
        WaitingNodes.pause(Duration.ofSeconds(1)); // no node has the code
        Instant reopened = Instant.now();
        try (Dormouse worker = WaitingNodes.worker(file, Request.class, CountsFromTheSignal::new)) {
            WorkflowHandle<String> handle = worker.find("r", String.class).orElseThrow();
            Instant from = Instant.parse(handle.result(PATIENCE));
            assertThat(from.plusSeconds(1)).isBefore(reopened); // so that it did not wait at all
        }
    }
}
