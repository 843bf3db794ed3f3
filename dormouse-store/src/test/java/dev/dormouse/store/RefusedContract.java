package dev.dormouse.store;

import static dev.dormouse.store.Samples.FAR;
import static dev.dormouse.store.Samples.LANE;
import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.byBuild;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Claim;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.NextState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Runs that a build cannot execute are left to other builds. */
interface RefusedContract extends ContractWords {

    private UUID refusedBy(String workflowId, String builds) {
        NextState next = NextState.pending(Alarm.NOW, WakeReason.HANDOVER).inLane(LANE, builds);
        return started(Samples.start(workflowId, next));
    }

    private Claimed claimBy(String build, Duration patience) {
        return store().claim(SHARD, byBuild(Samples.claim(10), build, patience));
    }

    @Test
    default void buildThatRefusedARunIsNotGivenItAgain() {
        UUID runId = refusedBy("a", "b1 b2 b3");
        for (String refusing : List.of("b1", "b2", "b3")) {
            Claimed claimed = claimBy(refusing, FAR);
            assertThat(claimed.runs()).isEmpty();
            assertThat(claimed.more()).isFalse();
        }
        assertThat(idsOf(claimBy("b4", FAR))).containsExactly(runId);
    }

    @Test
    default void buildIsComparedAsAWholeWord() {
        refusedBy("a", "build-12 xbuild-1 bu1ld-1 BUILD-1 build");
        assertThat(claimBy("build-1", FAR).runs()).hasSize(1);
        refusedBy("b", "bx1");
        assertThat(claimBy("b_1", FAR).runs()).hasSize(1);
        refusedBy("c", "b1");
        assertThat(claimBy("b%", FAR).runs()).hasSize(1);
        refusedBy("d", "it's");
        assertThat(claimBy("it's", FAR).runs()).isEmpty();
    }

    @Test
    default void refusedRunsDoNotHoldUpTheOthers() {
        for (int i = 0; i < 20; i++) {
            refusedBy("refused-" + i, "b1");
        }
        tick();
        UUID good = started(Samples.pending("good"));
        Claim one = byBuild(Samples.claim(1), "b1", FAR);
        assertThat(idsOf(store().claim(SHARD, one))).containsExactly(good);
    }

    @Test
    default void runThatNoOtherNodeClaimedForAWhileIsGivenToARefusingBuild() {
        UUID runId = refusedBy("a", "b1");
        Duration patience = Duration.ofMillis(10);
        Instant alarm = row(runId).wakeAt();
        Claimed claimed = claimBy("b1", patience);
        while (claimed.runs().isEmpty()) {
            assertThat(claimed.now()).isBefore(alarm.plus(patience));
            tick();
            claimed = claimBy("b1", patience);
        }
        assertThat(claimed.now()).isAfterOrEqualTo(alarm.plus(patience));
        assertThat(idsOf(claimed)).containsExactly(runId);
    }

    @Test
    default void patienceWithoutEndNeverGivesARefusedRunBack() {
        refusedBy("a", "b1");
        assertThat(claimBy("b1", Duration.ofSeconds(Long.MAX_VALUE)).runs()).isEmpty();
    }

    @Test
    default void stuckRunIsNotGivenToARefusingBuildEither() {
        Held held = held("a");
        committed(held.becoming(NextState.stuck(Alarm.NOW, "trouble").inLane(LANE, "b1")));
        assertThat(claimBy("b1", FAR).runs()).isEmpty();
        assertThat(claimBy("b2", FAR).runs()).hasSize(1);
    }

    @Test
    default void knockWakesStuckRunsThatTheBuildHasNotRefused() {
        Held unknown = held("unknown");
        committed(unknown.becoming(NextState.stuck(new Alarm.In(FAR), "trouble")));
        Held refused = held("refused");
        committed(refused.becoming(NextState.stuck(new Alarm.In(FAR), "t").inLane(LANE, "b1 b2")));
        Held other = held("other");
        committed(other.becoming(NextState.stuck(new Alarm.In(FAR), "t").inLane(LANE, "b1")));
        Instant before = now();
        assertThat(store().wakeStuck(SHARD, List.of(LANE), "b2")).isEqualTo(2);
        assertThat(row(unknown.runId()).wakeAt()).isBetween(before, now());
        assertThat(row(other.runId()).wakeAt()).isBetween(before, now());
        assertThat(row(refused.runId()).wakeAt()).isAfter(now());
        assertThat(idsOf(claimBy("b2", FAR))).containsExactlyInAnyOrder(unknown.runId(), other.runId());
    }

    @Test
    default void knockWakesNothingElse() {
        UUID pending = started(Samples.pending("pending", new Alarm.In(FAR)));
        Held running = held("running");
        Held waiting = held("waiting");
        committed(waiting.suspend(new Alarm.In(FAR)));
        Held elsewhere = held("elsewhere");
        committed(elsewhere.becoming(NextState.stuck(new Alarm.In(FAR), "t").inLane("elsewhere", "")));
        Held forGood = held("for good");
        committed(forGood.becoming(NextState.stuck(Alarm.NONE, "t")));
        List<UUID> all = List.of(pending, running.runId(), waiting.runId(), elsewhere.runId(), forGood.runId());
        var before = rows(all);
        assertThat(store().wakeStuck(SHARD, List.of(LANE), "b2")).isZero();
        assertThat(store().wakeStuck(SHARD, List.of(), "b2")).isZero();
        assertThat(rows(all)).isEqualTo(before);
    }
}
