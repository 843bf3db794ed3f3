package dev.dormouse.commit;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.support.Approval;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The number of writes for messages and waits; docs/performance.md quotes these numbers. */
class MessageCostTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private static List<Integer> eventsPerCommit(SimulatedDormouse sim, UUID runId) {
        return sim.store().histories(0, List.of(runId)).stream()
                .map(HistoryRow::count)
                .toList();
    }

    @Test
    void waitThatASignalEndsIsOneCommitWithTheSignalAndTheEnd() {
        simulate(sim -> {
            Dormouse node = sim.open(builder -> builder.workflow(Approval.class, Approval.Implementation::new));
            Approval approval = node.workflow(Approval.class, "a");
            Instant deadline = sim.now().plus(HOUR);
            WorkflowHandle<String> handle = node.start(() -> approval.execute(deadline));
            sim.advance(Duration.ofMinutes(1));
            approval.approve();
            sim.result(handle);
            assertThat(eventsPerCommit(sim, handle.runId())).containsExactly(1, 2);
        });
    }

    @Test
    void updateOfADeadlineIsOneCommitWithTheRequestAndItsAnswer() {
        simulate(sim -> {
            Dormouse node = sim.open(builder -> builder.workflow(Approval.class, Approval.Implementation::new));
            Approval approval = node.workflow(Approval.class, "a");
            Instant deadline = sim.now().plus(HOUR);
            WorkflowHandle<String> handle = node.start(() -> approval.execute(deadline));
            for (int i = 1; i <= 5; i++) {
                sim.advance(Duration.ofMinutes(1));
                approval.moveDeadline(deadline.plusSeconds(i));
            }
            assertThat(eventsPerCommit(sim, handle.runId())).containsExactly(1, 2, 2, 2, 2, 2);
        });
    }

    @Test
    void childIsARequestAndItsEndInTheParent() {
        simulate(sim -> {
            Dormouse node = sim.open(builder -> builder.workflow(
                            "parent",
                            String.class,
                            String.class,
                            (ctx, in) -> ctx.child("child", "c", ChildOptions.DEFAULT, String.class, in)
                                    .get())
                    .workflow("child", String.class, String.class, (ctx, in) -> in));
            WorkflowHandle<String> handle = node.start("parent", "p", String.class, "x");
            assertThat(sim.result(handle)).isEqualTo("x");
            assertThat(eventsPerCommit(sim, handle.runId())).containsExactly(1, 1, 2);
            WorkflowHandle<String> child = node.find("c", String.class).orElseThrow();
            assertThat(eventsPerCommit(sim, child.runId())).containsExactly(1, 1);
        });
    }
}
