package dev.dormouse.store;

import static dev.dormouse.store.Samples.FAR;
import static dev.dormouse.store.Samples.LANE;
import static dev.dormouse.store.Samples.LEASE;
import static dev.dormouse.store.Samples.NODE;
import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.claimOf;
import static dev.dormouse.store.Samples.forPeriod;
import static dev.dormouse.store.Samples.inLane;
import static dev.dormouse.store.Samples.leavingLeases;
import static dev.dormouse.store.Samples.newLease;
import static dev.dormouse.store.Samples.pending;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Claim;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.HistoryAppend;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Renewal;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A claim leases runs whose alarm has passed. */
interface ClaimContract extends ContractWords {

    /** Starts runs that are due one after the other. */
    private List<UUID> due(int count, String... lanes) {
        List<UUID> runs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            runs.add(started(inLane(pending("wf-" + i + "-" + now()), lanes[i % lanes.length])));
            tick();
        }
        return runs;
    }

    @Test
    default void claimedRunIsHeldUnderTheClaimsLease() {
        UUID runId = started(pending("a"));
        RunRow before = row(runId);
        Claim claim = Samples.claim(10);
        Claimed claimed = store().claim(SHARD, claim);
        RowEdit expected = new RowEdit(before);
        expected.status = RunStatus.RUNNING;
        expected.lease = claim.lease();
        expected.owner = NODE;
        expected.wakeAt = claimed.now().plus(LEASE);
        expected.wakeReason = WakeReason.LEASE;
        assertThat(row(runId)).isEqualTo(expected.toRow());
        assertThat(claimed.runs())
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("history")
                .containsExactly(
                        new Claimed.Run(expected.toRow(), before.wakeAt(), WakeReason.START, RunStatus.PENDING, ""));
        committed(Held.of(claimed.runs().get(0).row()).step());
    }

    /** A store may return the history with the claim; then it is the whole history, and exactly what a reader gets. */
    @Test
    default void historyOfAClaimedRunIsTheOneThatAReaderGets() {
        started(pending("pending"));
        Held waiting = held("waiting");
        committed(waiting.suspend(Alarm.NOW));
        Held appended = held("appended");
        Append two = Samples.events(2);
        store().append(SHARD, List.of(new HistoryAppend(appended.runId(), 1, Fence.ANY_EPOCH, two)));
        committed(new Held(appended.runId(), "appended", appended.lease(), 3, two.checksum(), 0).suspend(Alarm.NOW));
        Held large = held("large");
        Append many = new Append(1, new byte[5_000], 42);
        committed(large.commit(many, NextState.waiting(Alarm.NOW, WakeReason.TIMER)));
        List<Claimed.Run> claimed = claim(10);
        assertThat(claimed).hasSize(4);
        for (Claimed.Run run : claimed) {
            if (!run.history().isEmpty()) {
                assertThat(run.history())
                        .usingRecursiveComparison()
                        .isEqualTo(history(run.row().runId()));
            }
        }
    }

    @Test
    default void claimedRunIsNotClaimedAgain() {
        due(5, LANE);
        assertThat(claim(10)).hasSize(5);
        assertThat(claim(10)).isEmpty();
    }

    @Test
    default void oldestAlarmComesFirstOverAllLanes() {
        List<UUID> runs = due(9, "a", "b", "c");
        Claimed claimed = store().claim(SHARD, claimOf(List.of("c", "a", "b")));
        assertThat(idsOf(claimed)).containsExactlyElementsOf(runs);
    }

    @Test
    default void claimTakesNoMoreThanItsLimitAndReportsWhetherThereIsMore() {
        List<UUID> runs = due(7, LANE, "b");
        List<UUID> taken = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Claim claim = new Claim(List.of(LANE, "b"), 2, newLease(), LEASE, NODE, "", FAR, Micros.MAX, Instant.EPOCH);
            Claimed claimed = store().claim(SHARD, claim);
            assertThat(claimed.runs()).hasSize(2);
            assertThat(claimed.more()).isTrue();
            taken.addAll(idsOf(claimed));
        }
        Claimed last = store().claim(SHARD, claimOf(List.of(LANE, "b")));
        assertThat(last.more()).isFalse();
        taken.addAll(idsOf(last));
        assertThat(taken).containsExactlyElementsOf(runs);
        assertThat(store().claim(SHARD, Samples.claim(10)).more()).isFalse();
    }

    @Test
    default void lanesThatAreNotAskedForAreNotTouched() {
        UUID other = started(inLane(pending("a"), "other"));
        RunRow before = row(other);
        assertThat(store().claim(SHARD, claimOf(List.of(LANE, "othe", "other ", "OTHER")))
                        .runs())
                .isEmpty();
        Claimed none = store().claim(SHARD, claimOf(List.of()));
        assertThat(none.runs()).isEmpty();
        assertThat(none.more()).isFalse();
        assertThat(row(other)).isEqualTo(before);
    }

    @Test
    default void lanesWithOddNamesAreFound() {
        List<String> lanes = List.of("a,b", "it's", "ü~", "{x}", "\"q\"", "back\\slash", "%", "NULL", "");
        lanes.forEach(lane -> started(inLane(pending("wf-" + lane), lane)));
        for (String lane : lanes) {
            List<Claimed.Run> runs =
                    store().claim(SHARD, claimOf(List.of(lane))).runs();
            assertThat(runs).extracting(run -> run.row().lane()).containsExactly(lane);
        }
    }

    @Test
    default void futureAlarmsAndMissingOnesAreNotTouched() {
        started(pending("future", new Alarm.In(FAR)));
        started(pending("none", Alarm.NONE));
        Held held = held("held");
        Held closed = closed("closed", RunStatus.COMPLETED);
        Claimed claimed = store().claim(SHARD, Samples.claim(10));
        assertThat(claimed.runs()).isEmpty();
        assertThat(claimed.more()).isFalse();
        assertThat(row(held.runId()).takeovers()).isZero();
        assertThat(row(closed.runId()).status()).isEqualTo(RunStatus.COMPLETED);
    }

    @Test
    default void scanBeginsAtTheFloor() {
        UUID old = started(pending("old"));
        tick();
        UUID young = started(pending("young"));
        Instant floor = row(young).wakeAt();
        assertThat(idsOf(store().claim(SHARD, Samples.from(Samples.claim(10), floor))))
                .containsExactly(young);
        assertThat(row(old).status()).isEqualTo(RunStatus.PENDING);
        assertThat(idsOf(store().claim(SHARD, Samples.claim(10)))).containsExactly(old);
    }

    @Test
    default void openRunsOfEveryStatusAreClaimedAtTheirAlarm() {
        UUID pending = started(pending("pending"));
        tick();
        Held waiting = held("waiting");
        committed(waiting.suspend(Alarm.NOW));
        tick();
        Held stuck = held("stuck");
        committed(stuck.becoming(NextState.stuck(Alarm.NOW, "trouble")));
        tick();
        Held running = held("running");
        committed(running.expire());
        tick();
        Held parked = held("parked");
        committed(parked.park(newLease(), now()));
        Claimed claimed = store().claim(SHARD, Samples.claim(10));
        assertThat(idsOf(claimed))
                .containsExactly(pending, waiting.runId(), stuck.runId(), running.runId(), parked.runId());
        assertThat(claimed.runs())
                .extracting(Claimed.Run::before)
                .containsExactly(
                        RunStatus.PENDING, RunStatus.WAITING, RunStatus.STUCK, RunStatus.RUNNING, RunStatus.PARKED);
        assertThat(claimed.runs())
                .extracting(Claimed.Run::reason)
                .containsExactly(
                        WakeReason.START, WakeReason.TIMER, WakeReason.STUCK, WakeReason.LEASE, WakeReason.PARK);
        assertThat(claimed.runs()).extracting(run -> run.row().takeovers()).containsExactly(0, 0, 0, 1, 1);
    }

    @Test
    default void expiredLeasesAreLeftAloneByAClaimThatTakesNothingOver() {
        Held running = held("running");
        committed(running.expire());
        Held parked = held("parked");
        committed(parked.park(newLease(), now()));
        UUID free = started(pending("free"));
        Claimed claimed = store().claim(SHARD, leavingLeases(Samples.claim(10)));
        assertThat(idsOf(claimed)).containsExactly(free);
        assertThat(claimed.more()).isFalse();
        assertThat(row(running.runId()).lease()).isEqualTo(running.lease());
        assertThat(claim(10)).hasSize(2);
    }

    @Test
    default void formerOwnerIsFencedAfterATakeover() {
        Held held = held("a");
        committed(held.expire());
        assertThat(claim(10)).hasSize(1);
        assertFenced(held.step());
        assertFenced(held.close());
        assertFenced(held.becoming(NextState.running(held.lease(), LEASE)));
        assertThat(store().renew(SHARD, List.of(new Renewal(held.runId(), held.lease())), LEASE)
                        .mail())
                .isEmpty();
    }

    @Test
    default void takeoversAreCountedUntilACommitAddsEvents() {
        Held held = held("a");
        for (int i = 1; i <= 3; i++) {
            committed(held.expire());
            held = Held.of(claim(10).get(0).row());
            assertThat(row(held.runId()).takeovers()).isEqualTo(i);
        }
        Commit suspend = held.becoming(NextState.waiting(Alarm.NOW, WakeReason.BACKOFF));
        committed(suspend);
        assertThat(row(held.runId()).takeovers()).isEqualTo(3);
        held = Held.of(claim(10).get(0).row());
        assertThat(row(held.runId()).takeovers()).isEqualTo(3);
        committed(held.step());
        assertThat(row(held.runId()).takeovers()).isZero();
    }

    @Test
    default void leaseEndsAfterItsPeriodAndIsTakenOver() {
        UUID runId = started(pending("a"));
        Duration period = Duration.ofMillis(20);
        Claimed first = store().claim(SHARD, forPeriod(Samples.claim(10), period));
        assertThat(row(runId).wakeAt()).isEqualTo(first.now().plus(period));
        passTime(period);
        Claimed second = store().claim(SHARD, Samples.claim(10));
        assertThat(idsOf(second)).containsExactly(runId);
        assertThat(second.runs().get(0).alarm()).isEqualTo(first.now().plus(period));
        assertThat(second.runs().get(0).before()).isEqualTo(RunStatus.RUNNING);
    }

    @Test
    default void claimLeavesLeasesThatEndedAfterItsTakeoverInstant() {
        UUID runId = started(pending("a"));
        store().claim(SHARD, forPeriod(Samples.claim(10), Duration.ofMillis(5)));
        Instant end = row(runId).wakeAt();
        passTime(Duration.ofMillis(10));
        assertThat(store().claim(SHARD, Samples.takingOverBefore(Samples.claim(10), end.minusMillis(1)))
                        .runs())
                .isEmpty();
        assertThat(store().claim(SHARD, Samples.takingOverBefore(Samples.claim(10), end))
                        .runs())
                .hasSize(1);
    }
}
