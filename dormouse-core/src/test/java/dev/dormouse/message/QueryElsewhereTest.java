package dev.dormouse.message;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.support.Approval;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.testing.sim.FaultProfile;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Queries from nodes that do not have the workflow's code. */
class QueryElsewhereTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private static Dormouse withCode(SimulatedDormouse sim, FaultProfile connection) {
        return sim.open(connection, node -> node.workflow(Approval.class, Approval.Implementation::new));
    }

    private static Dormouse client(SimulatedDormouse sim, FaultProfile connection) {
        return sim.open(connection, node -> node.remoteWorkflow(Approval.class));
    }

    @Test
    void nodeThatHasTheCodeAnswersThroughTheStore() {
        simulate(sim -> {
            Dormouse worker = withCode(sim, FaultProfile.CALM);
            Dormouse client = client(sim, FaultProfile.CALM);
            Approval approval = client.workflow(Approval.class, "a");
            Instant deadline = sim.now().plus(HOUR);
            client.start(() -> approval.execute(deadline));
            sim.advance(Duration.ofMinutes(1));
            assertThat(approval.state()).isEqualTo("PENDING");
            assertThat(approval.deadline()).isEqualTo(deadline);
            approval.approve();
            sim.advance(Duration.ofSeconds(1));
            assertThat(approval.state()).isEqualTo("APPROVED");
            worker.close();
        });
    }

    @Test
    void lostNoticesDelayTheAnswerButDoNotLoseIt() {
        FaultProfile deaf = FaultProfile.CALM.withBadNotices(0.7, 0.2, Duration.ofMillis(500));
        simulate(sim -> {
            Dormouse worker = withCode(sim, deaf);
            Dormouse client = client(sim, deaf);
            Approval approval = client.workflow(Approval.class, "a");
            client.start(() -> approval.execute(sim.now().plus(HOUR)));
            for (int i = 0; i < 20; i++) {
                assertThat(approval.state()).isEqualTo("PENDING");
            }
            worker.close();
        });
    }

    @Test
    void withoutALivingNodeThatHasTheCodeThereIsAClearErrorAfterAWhile() {
        simulate(sim -> {
            Dormouse worker = withCode(sim, FaultProfile.CALM);
            Dormouse client = client(sim, FaultProfile.CALM);
            Approval approval = client.workflow(Approval.class, "a");
            client.start(() -> approval.execute(sim.now().plus(HOUR)));
            sim.advance(Duration.ofSeconds(1));
            sim.kill(worker);
            Duration asked = sim.elapsed();
            assertClear(catchThrowable(approval::state), ErrorCode.NOT_ANSWERED);
            assertThat(sim.elapsed().minus(asked)).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(12));
            withCode(sim, FaultProfile.CALM);
            assertThat(approval.state()).isEqualTo("PENDING");
        });
    }

    @Test
    void failureOfAQueryOnAnotherNodeReachesTheCaller() {
        simulate(sim -> {
            withCode(sim, FaultProfile.CALM);
            Dormouse client = client(sim, FaultProfile.CALM);
            Approval approval = client.workflow(Approval.class, "a");
            WorkflowHandle<String> handle =
                    client.start(() -> approval.execute(sim.now().plus(HOUR)));
            Throwable problem = catchThrowable(() -> handle.query("nonsense", String.class));
            assertClear(problem, ErrorCode.QUERY_FAILED);
            assertThat(problem).hasMessageContaining("nonsense");
            assertThat(approval.state()).isEqualTo("PENDING");
        });
    }
}
