package dev.dormouse.timer;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Claim;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;

/**
 * A timer is cancelled or moved just when another node has claimed it, called its handler and given it back, in the middle
 * of the handler. Its row has the lease and the number of events that it had before.
 */
class ReleasedTimerTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void timerWhoseHandlerHasBegunIsNotCancelled() {
        assertRefused((timers, id) -> timers.cancel(id));
    }

    @Test
    void timerWhoseHandlerHasBegunIsNotMoved() {
        assertRefused((timers, id) -> timers.reschedule(id, Instant.parse("2100-01-01T00:00:00Z")));
    }

    @Test
    void startThatWasGivenBackIsCancelledByItsOwnCode() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(
                    "w",
                    String.class,
                    String.class,
                    (ctx, in) -> ctx.step("s", String.class, () -> {
                        sim.log("began");
                        return in;
                    })));
            WorkflowHandle<String> handle =
                    dormouse.start("w", "w-1", StartOptions.DEFAULT.withStartDelay(HOUR), String.class, "x");
            meddleOnce(sim);
            handle.cancel("enough");
            sim.failure(handle);
            assertThat(handle.describe().status()).isEqualTo(RunStatus.CANCELLED);
        });
    }

    private static void assertRefused(BiPredicate<Timers, TimerId> change) {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node);
            dormouse.timers().handle("h", String.class, text -> sim.log("handled"));
            TimerId id = dormouse.timers().after(HOUR, "h", "x");
            meddleOnce(sim);
            assertThat(change.test(dormouse.timers(), id)).isFalse();
            sim.await("the handler", () -> sim.log().contains("handled"));
            sim.advance(HOUR);
            assertThat(sim.log()).containsExactly("handled");
        });
    }

    /** Lets another node claim and release the run right before the next commit to a run without a lease. */
    private static void meddleOnce(SimulatedDormouse sim) {
        AtomicBoolean done = new AtomicBoolean();
        sim.store().failing = commit -> {
            if (commit.fence().lease() == RunRow.NO_LEASE && done.compareAndSet(false, true)) {
                takeAndGiveBack(sim, commit);
            }
            return null;
        };
    }

    private static void takeAndGiveBack(SimulatedDormouse sim, Commit commit) {
        RunRow row = sim.store().run(0, commit.runId()).orElseThrow();
        apply(sim, row, RunRow.NO_LEASE, WakeReason.START); // another caller has moved it to now
        Claim claim = new Claim(
                List.of(row.lane()), 1, 77, Duration.ofSeconds(15), "other", "", HOUR, Instant.EPOCH, Instant.EPOCH);
        assertThat(sim.store().claim(0, claim).runs()).hasSize(1);
        apply(sim, row, 77, WakeReason.HANDOVER);
    }

    private static void apply(SimulatedDormouse sim, RunRow row, long lease, WakeReason reason) {
        NextState next = NextState.pending(Alarm.NOW, reason);
        Fence fence = Fence.of(lease, row.nextSeq());
        sim.store()
                .commit(
                        0,
                        List.of(new Commit(
                                row.runId(), fence, Append.nothing(row.checksum()), row.consumed(), next, List.of())));
    }
}
