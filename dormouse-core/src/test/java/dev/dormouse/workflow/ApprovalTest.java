package dev.dormouse.workflow;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.HistoryEvent;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Approval;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An approval by a person, with a deadline that can be moved. */
class ApprovalTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration CLOSE = Duration.ofMillis(200); // simulated nodes have bad clocks

    private static Dormouse open(SimulatedDormouse sim) {
        return sim.open(node -> node.workflow(Approval.class, Approval.Implementation::new));
    }

    private static Duration lateness(Instant deadline, WorkflowHandle<String> handle) {
        return Duration.between(deadline, handle.describe().closedAt().orElseThrow());
    }

    @Test
    void approvalInTimeEndsTheWaitAtOnce() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Approval approval = dormouse.workflow(Approval.class, "a");
            Instant deadline = sim.now().plus(MINUTE.multipliedBy(30));
            WorkflowHandle<String> handle = dormouse.start(() -> approval.execute(deadline));
            sim.advance(MINUTE);
            assertThat(approval.state()).isEqualTo("PENDING");
            approval.approve();
            assertThat(sim.result(handle)).isEqualTo("APPROVED");
            assertThat(sim.elapsed()).isLessThan(MINUTE.plusSeconds(1));
            assertThat(approval.state()).isEqualTo("APPROVED");
            assertClear(catchThrowable(approval::approve), ErrorCode.RUN_CLOSED);
            assertThat(handle.history())
                    .extracting(HistoryEvent::kind)
                    .containsExactly("RunStarted", "MailReceived", "RunCompleted");
        });
    }

    @Test
    void withoutApprovalItIsRejectedExactlyAtTheDeadline() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Approval approval = dormouse.workflow(Approval.class, "a");
            Instant deadline = sim.now().plus(MINUTE.multipliedBy(30));
            WorkflowHandle<String> handle = dormouse.start(() -> approval.execute(deadline));
            assertThat(sim.result(handle)).isEqualTo("REJECTED");
            assertThat(lateness(deadline, handle)).isBetween(Duration.ZERO, CLOSE);
            assertThat(approval.state()).isEqualTo("REJECTED");
            assertThat(handle.history())
                    .extracting(HistoryEvent::kind)
                    .containsExactly("RunStarted", "WaitTimedOut", "RunCompleted");
        });
    }

    @Test
    void deadlineMovesEarlierAndLaterAtOnce() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Approval approval = dormouse.workflow(Approval.class, "a");
            Instant start = sim.now();
            Instant[] at = new Instant[50];
            for (int i = 0; i < at.length; i++) {
                at[i] = start.plus(MINUTE.multipliedBy(i));
            }
            WorkflowHandle<String> handle = dormouse.start(() -> approval.execute(at[30]));
            sim.advance(Duration.between(sim.now(), at[10]));
            assertThat(approval.deadline()).isEqualTo(at[30]);
            approval.extendDeadline(at[15]);
            sim.advance(Duration.between(sim.now(), at[11]));
            assertThat(approval.deadline()).isEqualTo(at[15]);
            sim.advance(Duration.between(sim.now(), at[12]));
            assertThat(approval.moveDeadline(at[40])).isEqualTo(at[40]);
            assertThat(sim.result(handle)).isEqualTo("REJECTED");
            assertThat(lateness(at[40], handle)).isBetween(Duration.ZERO, CLOSE);
        });
    }

    @Test
    void cancelledAtTenEndsCancelledAtTen() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Approval approval = dormouse.workflow(Approval.class, "a");
            Instant start = sim.now();
            WorkflowHandle<String> handle = dormouse.start(() -> approval.execute(start.plus(MINUTE.multipliedBy(30))));
            sim.advance(MINUTE.multipliedBy(10));
            handle.cancel("not wanted");
            assertClear(sim.failure(handle), ErrorCode.RUN_CANCELLED);
            assertThat(handle.describe().status()).isEqualTo(RunStatus.CANCELLED);
            assertThat(lateness(start.plus(MINUTE.multipliedBy(10)), handle)).isBetween(Duration.ZERO, CLOSE);
        });
    }

    @Test
    void extensionBeforeTheFirstLineWinsOverTheInitialDeadline() {
        simulate(sim -> {
            Dormouse client = sim.open(node -> node.remoteWorkflow(Approval.class));
            Approval approval = client.workflow(Approval.class, "a");
            Instant start = sim.now();
            client.start(() -> approval.execute(start.plus(MINUTE)));
            approval.extendDeadline(start.plus(MINUTE.multipliedBy(5)));
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> handle = dormouse.find("a", String.class).orElseThrow();
            assertThat(sim.result(handle)).isEqualTo("REJECTED");
            assertThat(lateness(start.plus(MINUTE.multipliedBy(5)), handle)).isBetween(Duration.ZERO, CLOSE);
        });
    }

    @Test
    void thousandUpdatesOfOneDeadlineAreOneAlarmAndTheLastOneCounts() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Approval approval = dormouse.workflow(Approval.class, "a");
            Instant start = sim.now();
            WorkflowHandle<String> handle = dormouse.start(() -> approval.execute(start.plus(Duration.ofHours(1))));
            Instant last = start;
            for (int i = 1; i <= 1_000; i++) {
                last = start.plus(Duration.ofHours(1)).plusSeconds(i * 7919 % 1_000);
                approval.extendDeadline(last);
            }
            sim.advance(MINUTE);
            assertThat(approval.deadline()).isEqualTo(last);
            assertThat(handle.history()).hasSizeLessThanOrEqualTo(1_001);
            assertThat(sim.result(handle)).isEqualTo("REJECTED");
            assertThat(lateness(last, handle)).isBetween(Duration.ZERO, CLOSE);
        });
    }

    @Test
    void signalsAcceptedBeforeTheDeadlineWinAndLaterOnesLoseWithAllNodesDown() {
        for (boolean before : List.of(true, false)) {
            simulate(sim -> {
                Dormouse dormouse = open(sim);
                Approval approval = dormouse.workflow(Approval.class, "a");
                Instant deadline = sim.now().plus(MINUTE.multipliedBy(10));
                dormouse.start(() -> approval.execute(deadline));
                sim.advance(MINUTE);
                sim.kill(dormouse);
                Dormouse client = sim.open(node -> node.remoteWorkflow(Approval.class));
                sim.advance(Duration.between(sim.now(), deadline).plusSeconds(before ? -5 : 5));
                client.workflow(Approval.class, "a").approve();
                sim.advance(MINUTE);
                Dormouse again = open(sim);
                WorkflowHandle<String> handle = again.find("a", String.class).orElseThrow();
                assertThat(sim.result(handle)).isEqualTo(before ? "APPROVED" : "REJECTED");
            });
        }
    }

    @Test
    void namedTimerIsMovedFromOutsideWithoutCodeInTheWorkflow() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Approval approval = dormouse.workflow(Approval.class, "a");
            Instant start = sim.now();
            WorkflowHandle<String> handle = dormouse.start(() -> approval.execute(start.plus(MINUTE)));
            Instant later = start.plus(MINUTE.multipliedBy(3));
            handle.timer("deadline").reschedule(later, "please");
            assertThat(approval.deadline()).isEqualTo(later);
            assertClear(catchThrowable(() -> handle.timer("other").reschedule(later)), ErrorCode.UPDATE_FAILED);
            assertThat(sim.result(handle)).isEqualTo("REJECTED");
            assertThat(lateness(later, handle)).isBetween(Duration.ZERO, CLOSE);
        });
    }
}
