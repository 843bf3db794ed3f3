package dev.dormouse.store;

import static dev.dormouse.store.Samples.LANE;
import static dev.dormouse.store.Samples.LEASE;
import static dev.dormouse.store.Samples.SHARD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Renewal;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs of a node that died: which crashes count, and what resets the count. */
public interface ProbationContract extends ContractWords {

    /** Returns a run whose node died while its code executed, claimed by another node. */
    private Held exposed(String workflowId) {
        committed(held(workflowId).expire());
        return claimed();
    }

    private Held claimed() {
        return Held.of(claim(10).get(0).row());
    }

    /**
     * Ends the lease with this reason before anything else happens, as if its node had died. Returns the run as claimed
     * by another node.
     */
    private Held diedAs(Held held, WakeReason reason) {
        committed(held.becoming(
                new NextState(RunStatus.RUNNING, held.lease(), new Alarm.In(Duration.ZERO), reason, null, null, "")));
        return claimed();
    }

    private void assertCounts(Held held, int takeovers, int strikes) {
        assertThat(row(held.runId()).takeovers()).as("takeovers").isEqualTo(takeovers);
        assertThat(row(held.runId()).strikes()).as("strikes").isEqualTo(strikes);
    }

    @Test
    default void runThatADeadNodeHeldIsClaimedAsNotBegun() {
        Held held = exposed("a");
        assertThat(row(held.runId()).wakeReason()).isEqualTo(WakeReason.CLAIMED);
        assertCounts(held, 1, 0);
        committed(held.becoming(NextState.pending(Alarm.NOW, WakeReason.BACKOFF)));
        assertThat(row(claimed().runId()).wakeReason()).isEqualTo(WakeReason.CLAIMED);
        assertCounts(held, 1, 0);
    }

    @Test
    default void deathBeforeTheCodeBeganIsNotCounted() {
        Held held = exposed("a");
        for (int i = 0; i < 3; i++) {
            held = diedAs(held, WakeReason.CLAIMED);
            assertCounts(held, 1, 0);
        }
    }

    @Test
    default void deathOnProbationIsAStrike() {
        Held held = exposed("a");
        for (int i = 1; i <= 3; i++) {
            committed(held.becoming(NextState.probation(held.lease())));
            assertThat(row(held.runId()).wakeReason()).isEqualTo(WakeReason.PROBATION);
            held = diedAs(held, WakeReason.PROBATION);
            assertCounts(held, 1 + i, i);
        }
    }

    @Test
    default void probationKeepsTheLeaseAsItIs() {
        Held held = exposed("a");
        RunRow before = row(held.runId());
        committed(held.becoming(NextState.probation(held.lease())));
        RunRow after = row(held.runId());
        assertThat(after.lease()).isEqualTo(before.lease());
        assertThat(after.wakeAt()).isEqualTo(before.wakeAt());
        assertThat(after.owner()).isEqualTo(before.owner());
        assertThat(claim(10)).isEmpty();
    }

    @Test
    default void renewalEndsAProbationAndClearsStrikes() {
        Held held = exposed("a");
        committed(held.becoming(NextState.probation(held.lease())));
        held = diedAs(held, WakeReason.PROBATION);
        committed(held.becoming(NextState.probation(held.lease())));
        store().renew(SHARD, List.of(new Renewal(held.runId(), held.lease())), LEASE);
        assertThat(row(held.runId()).wakeReason()).isEqualTo(WakeReason.LEASE);
        assertCounts(held, 2, 0);
        assertCounts(diedAs(held, WakeReason.LEASE), 3, 0);
    }

    @Test
    default void renewalOfARunThatHasNotBegunChangesNothingElse() {
        Held held = exposed("a");
        committed(held.becoming(NextState.probation(held.lease())));
        held = diedAs(held, WakeReason.PROBATION);
        store().renew(SHARD, List.of(new Renewal(held.runId(), held.lease())), LEASE);
        assertThat(row(held.runId()).wakeReason()).isEqualTo(WakeReason.CLAIMED);
        assertCounts(held, 2, 1);
    }

    @Test
    default void commitThatAddsEventsClearsAll() {
        Held held = exposed("a");
        committed(held.becoming(NextState.probation(held.lease())));
        held = diedAs(held, WakeReason.PROBATION);
        Commit step = held.step();
        committed(step);
        assertCounts(held, 0, 0);
        assertThat(row(held.runId()).wakeReason()).isEqualTo(WakeReason.LEASE);
    }

    @Test
    default void runThatIsStuckBecauseItsNodesDiedIsNotWokenByANewNode() {
        Held deadly = exposed("deadly");
        committed(deadly.becoming(NextState.probation(deadly.lease())));
        deadly = diedAs(deadly, WakeReason.PROBATION);
        committed(
                deadly.becoming(NextState.stuck(new Alarm.In(LEASE), "trouble").inLane(LANE, "another-build")));
        Held longFuse = exposed("long fuse");
        committed(longFuse.becoming(NextState.stuck(new Alarm.In(LEASE), "trouble")));
        Held mismatch = exposed("mismatch");
        committed(mismatch.becoming(
                NextState.stuck(new Alarm.In(LEASE), "trouble").inLane(LANE, "another-build")));
        assertThat(store().wakeStuck(SHARD, List.of(LANE), "build")).isEqualTo(1);
        assertThat(claim(10)).extracting(run -> run.row().runId()).containsExactly(mismatch.runId());
    }
}
