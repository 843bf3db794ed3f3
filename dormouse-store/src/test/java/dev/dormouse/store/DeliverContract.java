package dev.dormouse.store;

import static dev.dormouse.store.Samples.FAR;
import static dev.dormouse.store.Samples.LANE;
import static dev.dormouse.store.Samples.LEASE;
import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.bytes;
import static dev.dormouse.store.Samples.newLease;
import static dev.dormouse.store.Samples.pending;
import static dev.dormouse.store.Samples.replacing;
import static dev.dormouse.store.Samples.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A message reaches a workflow id once and in order, and wakes its run without taking it from a live owner. */
interface DeliverContract extends ContractWords {

    @Test
    default void deliveryIsAcceptedAtTheNextPosition() {
        Held held = held("a");
        Instant before = now();
        DeliverOutcome.Accepted first = accepted(new Delivery("a", "k1", 42, bytes("one")));
        DeliverOutcome.Accepted second = accepted(new Delivery("a", "k2", -1, bytes("")));
        assertThat(first.position()).isEqualTo(1);
        assertThat(second.position()).isEqualTo(2);
        assertThat(first.at()).isBetween(before, second.at());
        assertThat(second.run()).isEqualTo(row(held.runId()));
        assertThat(second.run().mail()).isEqualTo(2);
        assertThat(mail("a"))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(
                        new InboxMessage(1, "k1", 42, first.at(), bytes("one")),
                        new InboxMessage(2, "k2", -1, second.at(), bytes("")));
    }

    @Test
    default void secondDeliveryUnderTheSameKeyIsADuplicate() {
        Held held = held("a");
        accepted(signal("a", "k1"));
        accepted(signal("a", "k2"));
        RunRow before = row(held.runId());
        assertThat(deliver(new Delivery("a", "k1", 9, bytes("other")))).isEqualTo(new DeliverOutcome.Duplicate(1));
        assertThat(row(held.runId())).isEqualTo(before);
        assertThat(mail("a")).hasSize(2);
    }

    @Test
    default void keyIsKnownEvenAfterConsumptionCloseAndReplacement() {
        Held held = held("a");
        accepted(signal("a", "k1"));
        Commit consume = Held.consuming(held.step(), 1);
        committed(consume);
        assertThat(deliver(signal("a", "k1"))).isEqualTo(new DeliverOutcome.Duplicate(1));
        committed(Held.consuming(held.after(consume).close(), 1));
        assertThat(deliver(signal("a", "k1"))).isEqualTo(new DeliverOutcome.Duplicate(1));
        started(replacing(pending("a"), RunStatus.COMPLETED));
        assertThat(deliver(signal("a", "k1"))).isEqualTo(new DeliverOutcome.Duplicate(1));
        assertThat(mail("a")).hasSize(1);
    }

    @Test
    default void sameKeyForAnotherWorkflowIdIsNotADuplicate() {
        held("a");
        held("b");
        assertThat(accepted(signal("a", "k")).position()).isEqualTo(1);
        assertThat(accepted(signal("b", "k")).position()).isEqualTo(1);
    }

    @Test
    default void deliveryWithoutARunIsRefused() {
        assertThat(deliver(signal("unknown", "k"))).isEqualTo(new DeliverOutcome.NoRun());
        started(pending("unknown"));
        assertThat(mail("unknown")).isEmpty();
        assertThat(accepted(signal("unknown", "k")).position()).isEqualTo(1);
    }

    @Test
    default void deliveryToAClosedRunIsRefused() {
        Held held = closed("a", RunStatus.FAILED);
        RunRow row = row(held.runId());
        assertThat(deliver(signal("a", "k"))).isEqualTo(new DeliverOutcome.RunClosed(row));
        assertThat(row(held.runId())).isEqualTo(row);
        assertThat(mail("a")).isEmpty();
        started(replacing(pending("a"), RunStatus.FAILED));
        assertThat(accepted(signal("a", "k")).position()).isEqualTo(1);
    }

    @Test
    default void waitingRunIsWokenAtOnce() {
        for (Alarm alarm : List.of(Alarm.NONE, new Alarm.In(FAR))) {
            Held held = held("wf-" + alarm);
            committed(held.suspend(alarm));
            Instant before = now();
            RunRow run = accepted(signal(held.workflowId(), "k")).run();
            assertThat(run.wakeAt()).isBetween(before, now());
            assertThat(run.wakeReason()).isEqualTo(WakeReason.MAIL);
            assertThat(run.status()).isEqualTo(RunStatus.WAITING);
            assertThat(run.owner()).isEmpty();
            Claimed.Run claimed = claim(1).get(0);
            assertThat(claimed.row().mail()).isEqualTo(1);
            assertThat(claimed.reason()).isEqualTo(WakeReason.MAIL);
        }
    }

    @Test
    default void waitingRunThatIsDueAlreadyStaysDue() {
        Held held = held("a");
        committed(held.suspend(Alarm.NOW));
        tick();
        accepted(signal("a", "k"));
        assertThat(claim(10)).hasSize(1);
    }

    @Test
    default void parkedRunKeepsItsOwnerAndIsDueWithinALeasePeriodAfterMail() {
        Held held = held("a");
        Commit park = held.park(newLease(), now().plus(FAR));
        committed(park);
        DeliverOutcome.Accepted accepted = accepted(signal("a", "k"));
        RunRow run = accepted.run();
        assertThat(run.wakeAt()).isBetween(accepted.at(), now().plus(LEASE));
        assertThat(run.wakeAt()).isAfter(now());
        assertThat(run.status()).isEqualTo(RunStatus.PARKED);
        assertThat(run.lease()).isEqualTo(park.next().lease());
        assertThat(run.owner()).isEqualTo(Samples.NODE);
        assertThat(claim(10)).isEmpty();
        committed(held.after(park).step());
    }

    @Test
    default void leaseOfAnExecutingRunIsNotShortenedByASenderWithAShorterOne() {
        Held held = held("a");
        Instant end = row(held.runId()).wakeAt();
        List<DeliverOutcome> outcomes = store().deliver(SHARD, List.of(signal("a", "k")), Duration.ofMillis(1));
        RunRow run = ((DeliverOutcome.Accepted) outcomes.get(0)).run();
        assertThat(run.wakeAt()).isEqualTo(end);
        tick();
        assertThat(claim(10)).isEmpty();
    }

    @Test
    default void leaseThatEndsEarlierIsNotProlongedByMail() {
        Held held = held("a");
        Instant end = row(held.runId()).wakeAt();
        tick();
        assertThat(accepted(signal("a", "k")).run().wakeAt()).isEqualTo(end);
    }

    @Test
    default void mailDoesNotAdvanceADelayedStart() {
        UUID runId = started(pending("a", new Alarm.In(FAR)));
        RunRow before = row(runId);
        RunRow run = accepted(signal("a", "k")).run();
        assertThat(run.wakeAt()).isEqualTo(before.wakeAt());
        assertThat(run.wakeReason()).isEqualTo(WakeReason.START);
        assertThat(run.mail()).isEqualTo(1);
        assertThat(claim(10)).isEmpty();
    }

    @Test
    default void mailDoesNotAdvanceAStuckRun() {
        Held never = held("never");
        committed(never.becoming(NextState.stuck(Alarm.NONE, "trouble")));
        Held later = held("later");
        committed(later.becoming(NextState.stuck(new Alarm.In(FAR), "trouble").inLane(LANE, "b1")));
        Instant alarm = row(later.runId()).wakeAt();
        assertThat(accepted(signal("never", "k")).run().wakeAt()).isNull();
        assertThat(accepted(signal("later", "k")).run().wakeAt()).isEqualTo(alarm);
        assertThat(claim(10)).isEmpty();
    }

    @Test
    default void entriesOfOneDeliveryBatchAreIndependentOfEachOther() {
        held("open");
        accepted(signal("open", "known"));
        held("another");
        closed("closed", RunStatus.COMPLETED);
        List<DeliverOutcome> outcomes = store().deliver(
                        SHARD,
                        List.of(
                                signal("unknown", "k"),
                                signal("open", "known"),
                                signal("closed", "k"),
                                signal("another", "k")),
                        LEASE);
        assertThat(outcomes.get(0)).isEqualTo(new DeliverOutcome.NoRun());
        assertThat(outcomes.get(1)).isEqualTo(new DeliverOutcome.Duplicate(1));
        assertThat(outcomes.get(2)).isInstanceOf(DeliverOutcome.RunClosed.class);
        assertThat(outcomes.get(3)).isInstanceOf(DeliverOutcome.Accepted.class);
    }

    @Test
    default void thousandDeliveriesAreAnsweredInTheirOrder() {
        store().start(
                        SHARD,
                        IntStream.range(0, 1000)
                                .mapToObj(i -> pending("wf-" + i))
                                .toList());
        List<Delivery> batch = IntStream.range(0, 1000)
                .mapToObj(i -> signal((i % 10 == 0 ? "no-" : "wf-") + (999 - i), "k"))
                .toList();
        List<DeliverOutcome> outcomes = store().deliver(SHARD, batch, LEASE);
        for (int i = 0; i < 1000; i++) {
            if (i % 10 == 0) {
                assertThat(outcomes.get(i)).isEqualTo(new DeliverOutcome.NoRun());
            } else {
                RunRow run = ((DeliverOutcome.Accepted) outcomes.get(i)).run();
                assertThat(run.workflowId()).isEqualTo(batch.get(i).workflowId());
            }
        }
    }
}
