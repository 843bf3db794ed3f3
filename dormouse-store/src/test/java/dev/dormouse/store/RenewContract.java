package dev.dormouse.store;

import static dev.dormouse.store.Samples.FAR;
import static dev.dormouse.store.Samples.LANE;
import static dev.dormouse.store.Samples.LEASE;
import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.leased;
import static dev.dormouse.store.Samples.newId;
import static dev.dormouse.store.Samples.newLease;
import static dev.dormouse.store.Samples.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Renewal;
import dev.dormouse.store.run.Renewed;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Only a run that executes under exactly the named lease is renewed. */
interface RenewContract extends ContractWords {

    private Renewed renew(Renewal... renewals) {
        return store().renew(SHARD, List.of(renewals), FAR);
    }

    @Test
    default void runningRunIsRenewedAndItsMailCounterReturned() {
        Held held = held("a");
        accepted(signal("a", "k"));
        RunRow before = row(held.runId());
        Instant start = now();
        Renewed renewed = renew(new Renewal(held.runId(), held.lease()));
        assertThat(renewed.now()).isBetween(start, now());
        assertThat(renewed.mail()).isEqualTo(Map.of(held.runId(), 1L));
        RowEdit expected = new RowEdit(before);
        expected.wakeAt = renewed.now().plus(FAR);
        assertThat(row(held.runId())).isEqualTo(expected.toRow());
    }

    @Test
    default void expiredLeaseThatWasNotTakenOverIsRenewed() {
        Held held = held("a");
        committed(held.expire());
        tick();
        assertThat(renew(new Renewal(held.runId(), held.lease())).mail()).containsOnlyKeys(held.runId());
        assertThat(claim(10)).isEmpty();
    }

    @Test
    default void parkedRunIsNotRenewed() {
        Held held = held("a");
        Commit park = held.park(newLease(), now().plus(LEASE));
        committed(park);
        RunRow before = row(held.runId());
        assertThat(renew(
                                new Renewal(held.runId(), park.next().lease()),
                                new Renewal(newId(), park.next().lease()))
                        .mail())
                .isEmpty();
        assertThat(renew(new Renewal(held.runId(), held.lease())).mail()).isEmpty();
        assertThat(row(held.runId())).isEqualTo(before);
    }

    @Test
    default void runUnderAnotherLeaseIsLost() {
        Held held = held("a");
        RunRow before = row(held.runId());
        assertThat(renew(new Renewal(held.runId(), newLease())).mail()).isEmpty();
        assertThat(renew(new Renewal(held.runId(), RunRow.NO_LEASE)).mail()).isEmpty();
        assertThat(row(held.runId())).isEqualTo(before);
    }

    @Test
    default void releasedRunIsLost() {
        Held waiting = held("waiting");
        committed(waiting.suspend(Alarm.NONE));
        Held stuck = held("stuck");
        committed(stuck.becoming(NextState.stuck(Alarm.NONE, "trouble")));
        Held closed = held("closed");
        committed(closed.close());
        List<UUID> ids = List.of(waiting.runId(), stuck.runId(), closed.runId());
        Map<UUID, RunRow> before = rows(ids);
        for (Held held : List.of(waiting, stuck, closed)) {
            assertThat(renew(new Renewal(held.runId(), held.lease())).mail()).isEmpty();
            assertThat(renew(new Renewal(held.runId(), RunRow.NO_LEASE)).mail()).isEmpty();
        }
        assertThat(rows(ids)).isEqualTo(before);
    }

    @Test
    default void leasesThatEndFarTooLateAreShortened() {
        Held running = held("running");
        renew(new Renewal(running.runId(), running.lease()));
        Held parked = held("parked");
        committed(parked.park(newLease(), now().plus(FAR)));
        Instant start = now();
        assertThat(store().shortenLeases(SHARD, List.of("none", LANE), LEASE, LEASE))
                .isEqualTo(2);
        for (UUID runId : List.of(running.runId(), parked.runId())) {
            assertThat(row(runId).wakeAt()).isBetween(start.plus(LEASE), now().plus(LEASE));
        }
        assertThat(store().shortenLeases(SHARD, List.of(LANE), LEASE.plus(LEASE), LEASE))
                .isZero();
    }

    @Test
    default void onlyLeasesAreShortened() {
        Held usual = held("usual");
        Held elsewhere = held("elsewhere");
        committed(elsewhere.becoming(NextState.pending(new Alarm.In(FAR), WakeReason.HANDOVER)));
        Held waiting = held("waiting");
        committed(waiting.suspend(new Alarm.In(FAR)));
        Held stuck = held("stuck");
        committed(stuck.becoming(NextState.stuck(new Alarm.In(FAR), "trouble")));
        List<UUID> ids = List.of(usual.runId(), elsewhere.runId(), waiting.runId(), stuck.runId());
        Map<UUID, RunRow> before = rows(ids);
        assertThat(store().shortenLeases(SHARD, List.of(LANE), LEASE.plus(LEASE), LEASE))
                .isZero();
        assertThat(store().shortenLeases(SHARD, List.of(), LEASE, LEASE)).isZero();
        assertThat(rows(ids)).isEqualTo(before);
    }

    @Test
    default void thousandRunsAreRenewedAtOnceAndTheLostOnesAreMissing() {
        List<Start> starts =
                IntStream.range(0, 1000).mapToObj(i -> leased("wf-" + i)).toList();
        store().start(SHARD, starts);
        List<Renewal> renewals = IntStream.range(0, 1000)
                .mapToObj(i -> new Renewal(
                        starts.get(i).runId(),
                        i % 10 == 0 ? newLease() : starts.get(i).next().lease()))
                .toList();
        Renewed renewed = store().renew(SHARD, renewals, FAR);
        assertThat(renewed.mail()).hasSize(900);
        assertThat(renewed.mail()).doesNotContainKey(starts.get(0).runId());
        rows(starts.stream().map(Start::runId).toList())
                .forEach((runId, row) -> assertThat(
                                row.wakeAt().equals(renewed.now().plus(FAR)))
                        .isEqualTo(renewed.mail().containsKey(runId)));
    }
}
