package dev.dormouse.store;

import static dev.dormouse.store.QueueAsk.LANE_A;
import static dev.dormouse.store.QueueAsk.LANE_B;
import static dev.dormouse.store.QueueAsk.QUEUE;
import static dev.dormouse.store.QueueAsk.queued;
import static dev.dormouse.store.Samples.LEASE;
import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.newLease;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.queue.QueueClaimed;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Queued;
import dev.dormouse.store.run.Renewal;
import dev.dormouse.store.run.RunRow;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** An expired lease makes room, and its holder cannot renew it after that. */
interface QueueLeaseContract extends QueueContract {

    /** Returns a run of the queue whose lease has expired and whose holder may be alive. */
    private Held expired(String workflowId, String lane) {
        started(queued(workflowId, lane, new Queued(QUEUE, 0, "")));
        QueueClaimed claimed = ask().lanes(lane).takeOverBefore(Instant.EPOCH).of(store());
        Held held = Held.of(claimed.runs().get(0).row());
        committed(held.expire());
        tick();
        return held;
    }

    private boolean isRenewed(Held held) {
        List<Renewal> renewals = List.of(new Renewal(held.runId(), held.lease()));
        return !store().renew(SHARD, renewals, LEASE).mail().isEmpty();
    }

    @Test
    default void endedLeaseIsTakenOverAndCounted() {
        Held held = expired("a", LANE_A);
        QueueClaimed claimed = ask().total(1).of(store());
        assertThat(idsOf(claimed)).containsExactly(held.runId());
        Claimed.Run run = claimed.runs().get(0);
        assertThat(run.before()).isEqualTo(RunStatus.RUNNING);
        assertThat(run.reason()).isEqualTo(WakeReason.LEASE);
        assertThat(run.row().takeovers()).isEqualTo(1);
        assertThat(isRenewed(held)).isFalse();
        assertFenced(held.step());
    }

    @Test
    default void takeoverNeedsRoomLikeAnyOtherClaim() {
        Held ended = expired("a", LANE_A);
        started(queued("b", LANE_B, new Queued(QUEUE, 0, "")));
        assertThat(ask().lanes(LANE_B).total(2).of(store()).runs()).hasSize(1);
        QueueClaimed full = ask().total(1).of(store());
        assertThat(full.runs()).isEmpty();
        assertThat(full.more()).isTrue();
        assertThat(idsOf(ask().total(2).of(store()))).containsExactly(ended.runId());
    }

    @Test
    default void leaseThatEndedInAnUnknownLaneIsTakenAwayWhenItsRoomIsNeeded() {
        Held lost = expired("a", LANE_A);
        RunRow before = row(lost.runId());
        UUID other = started(queued("b", LANE_B, new Queued(QUEUE, 0, "")));
        assertThat(idsOf(ask().lanes(LANE_B).total(1).of(store()))).containsExactly(other);
        RowEdit expected = new RowEdit(before);
        expected.status = RunStatus.PENDING;
        expected.lease = RunRow.NO_LEASE;
        expected.owner = "";
        expected.takeovers = 1;
        assertThat(row(lost.runId())).isEqualTo(expected.toRow());
        assertThat(isRenewed(lost)).isFalse();
        assertFenced(lost.step());
        assertFenced(lost.close());
        assertFenced(lost.park(newLease(), now().plus(LEASE)));
        QueueClaimed later = ask().total(2).of(store());
        assertThat(idsOf(later)).containsExactly(lost.runId());
        assertThat(later.runs().get(0).row().takeovers()).isEqualTo(1);
        assertThat(later.runs().get(0).reason()).isEqualTo(WakeReason.LEASE);
    }

    @Test
    default void leaseThatEndedStaysWhileThereIsRoomForItToo() {
        Held late = expired("a", LANE_A);
        started(queued("b", LANE_B, new Queued(QUEUE, 0, "")));
        started(queued("c", LANE_B, new Queued(QUEUE, 0, "")));
        assertThat(ask().lanes(LANE_B).limit(1).total(2).of(store()).runs()).hasSize(1);
        assertThat(isRenewed(late)).isTrue();
        assertThat(ask().lanes(LANE_B).total(2).of(store()).runs()).isEmpty();
    }

    @Test
    default void oldestOfTheEndedLeasesGoesFirst() {
        Held first = expired("a", LANE_A);
        Held second = expired("b", LANE_A);
        started(queued("c", LANE_B, new Queued(QUEUE, 0, "")));
        assertThat(ask().lanes(LANE_B).total(2).of(store()).runs()).hasSize(1);
        assertThat(isRenewed(first)).isFalse();
        assertThat(isRenewed(second)).isTrue();
    }

    @Test
    default void endedLeaseCountsWhileNothingMayBeTakenOver() {
        Held late = expired("a", LANE_A);
        started(queued("b", LANE_B, new Queued(QUEUE, 0, "")));
        Instant end = row(late.runId()).wakeAt();
        for (Instant tooEarly : List.of(Instant.EPOCH, end.minusMillis(1))) {
            QueueClaimed full = ask().total(1).takeOverBefore(tooEarly).of(store());
            assertThat(full.runs()).isEmpty();
            assertThat(full.more()).isTrue();
            assertThat(full.next()).isAfter(full.now());
        }
        assertThat(row(late.runId()).lease()).isEqualTo(late.lease());
        QueueClaimed claimed = ask().lanes(LANE_B).total(1).takeOverBefore(end).of(store());
        assertThat(claimed.runs()).hasSize(1);
        assertThat(isRenewed(late)).isFalse();
    }

    @Test
    default void parkedRunWhoseAlarmHasPassedMakesRoomToo() {
        started(queued("a"));
        Held held = Held.of(ask().of(store()).runs().get(0).row());
        Commit park = held.park(newLease(), now());
        committed(park);
        tick();
        started(queued("b", LANE_B, new Queued(QUEUE, 0, "")));
        assertThat(ask().lanes(LANE_B).total(1).of(store()).runs()).hasSize(1);
        Held parked = held.after(park);
        assertFenced(parked.becoming(NextState.running(newLease(), LEASE)));
        assertThat(row(held.runId()).wakeReason()).isEqualTo(WakeReason.PARK);
    }

    @Test
    default void loweredTotalIsReachedByTakingEndedLeasesAway() {
        int many = 150;
        for (int i = 0; i < many; i++) {
            started(queued("wf-" + i));
        }
        QueueClaimed all = ask().limit(many).of(store());
        assertThat(all.runs()).hasSize(many);
        all.runs().forEach(run -> committed(Held.of(run.row()).expire()));
        tick();
        UUID next = started(queued("b", LANE_B, new Queued(QUEUE, 0, "")));
        QueueClaimed first = ask().lanes(LANE_B).total(1).of(store());
        assertThat(first.runs()).isEmpty();
        assertThat(first.next()).isEqualTo(first.now());
        assertThat(idsOf(ask().lanes(LANE_B).total(1).of(store()))).containsExactly(next);
        assertThat(all.runs()).noneMatch(run -> isRenewed(Held.of(run.row())));
    }
}
