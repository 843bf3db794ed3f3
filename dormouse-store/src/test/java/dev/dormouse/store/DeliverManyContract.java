package dev.dormouse.store;

import static dev.dormouse.store.Samples.FAR;
import static dev.dormouse.store.Samples.LEASE;
import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.bytes;
import static dev.dormouse.store.Samples.pending;
import static dev.dormouse.store.Samples.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.RunRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Several items for one workflow id in a batch are accepted in batch order, without gaps. */
interface DeliverManyContract extends ConcurrencyContract {

    private static List<Delivery> signals(String workflowId, int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> signal(workflowId, "k" + i))
                .toList();
    }

    private List<DeliverOutcome> deliver(List<Delivery> batch) {
        return store().deliver(SHARD, batch, LEASE);
    }

    private static List<Long> positions(List<DeliverOutcome> outcomes) {
        return outcomes.stream()
                .map(outcome -> ((DeliverOutcome.Accepted) outcome).position())
                .toList();
    }

    private static List<Long> range(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }

    @Test
    default void itemsForOneWorkflowIdAreAcceptedInTheOrderOfTheBatch() {
        Held held = held("a");
        accepted(signal("a", "before"));
        List<Delivery> batch = new ArrayList<>(signals("a", 0, 30));
        Collections.shuffle(batch);
        List<DeliverOutcome> outcomes = deliver(batch);
        assertThat(positions(outcomes)).isEqualTo(range(2, 31));
        assertThat(mail("a").stream().skip(1).map(InboxMessage::key))
                .containsExactlyElementsOf(batch.stream().map(Delivery::key).toList());
        assertThat(row(held.runId()).mail()).isEqualTo(31);
        assertThat(accepted(signal("a", "after")).position()).isEqualTo(32);
    }

    @Test
    default void eachItemKeepsItsOwnKindAndPayload() {
        held("a");
        List<Delivery> batch = List.of(
                new Delivery("a", "z", 3, bytes("first")),
                new Delivery("a", "a", -7, bytes("")),
                new Delivery("a", "m", 0, Samples.randomBytes(5_000)));
        List<DeliverOutcome> outcomes = deliver(batch);
        List<InboxMessage> mail = mail("a");
        for (int i = 0; i < batch.size(); i++) {
            Instant at = ((DeliverOutcome.Accepted) outcomes.get(i)).at();
            Delivery sent = batch.get(i);
            assertThat(mail.get(i))
                    .usingRecursiveComparison()
                    .isEqualTo(new InboxMessage(i + 1, sent.key(), sent.kind(), at, sent.payload()));
        }
    }

    @Test
    default void rowOfAnAcceptedItemIsTheOneAfterThatItem() {
        Held held = held("a");
        committed(held.suspend(new Alarm.In(FAR)));
        List<DeliverOutcome> outcomes = deliver(signals("a", 0, 5));
        RunRow last = row(held.runId());
        assertThat(last.wakeReason()).isEqualTo(WakeReason.MAIL);
        assertThat(last.wakeAt()).isBeforeOrEqualTo(now());
        for (int i = 0; i < 5; i++) {
            assertThat(((DeliverOutcome.Accepted) outcomes.get(i)).run()).isEqualTo(last.withMail(i + 1));
        }
    }

    @Test
    default void itemsOfManyWorkflowIdsMayBeMixed() {
        for (String id : List.of("a", "b", "c")) {
            held(id);
        }
        List<Delivery> batch = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            for (String id : List.of("c", "a", "unknown", "b")) {
                batch.add(signal(id, "k" + i));
            }
        }
        List<DeliverOutcome> outcomes = deliver(batch);
        for (int i = 0; i < batch.size(); i++) {
            if (batch.get(i).workflowId().equals("unknown")) {
                assertThat(outcomes.get(i)).isEqualTo(new DeliverOutcome.NoRun());
            } else {
                DeliverOutcome.Accepted accepted = (DeliverOutcome.Accepted) outcomes.get(i);
                assertThat(accepted.position()).isEqualTo(i / 4 + 1);
                assertThat(accepted.run().workflowId()).isEqualTo(batch.get(i).workflowId());
            }
        }
    }

    @Test
    default void duplicatesAmongTheItemsTakeNoPosition() {
        Held held = held("a");
        deliver(signals("a", 0, 3));
        List<Delivery> batch = Stream.of("new1", "k2", "new2", "k0", "k1", "new3")
                .map(key -> signal("a", key))
                .toList();
        List<DeliverOutcome> outcomes = deliver(batch);
        assertThat(positions(List.of(outcomes.get(0), outcomes.get(2), outcomes.get(5))))
                .containsExactly(4L, 5L, 6L);
        assertThat(List.of(outcomes.get(1), outcomes.get(3), outcomes.get(4)))
                .containsExactly(
                        new DeliverOutcome.Duplicate(3),
                        new DeliverOutcome.Duplicate(1),
                        new DeliverOutcome.Duplicate(2));
        assertThat(row(held.runId()).mail()).isEqualTo(6);
        assertThat(mail("a")).extracting(InboxMessage::position).containsExactlyElementsOf(range(1, 6));
    }

    @Test
    default void sameBatchAgainIsAllDuplicatesAtTheirPositions() {
        Held held = held("a");
        List<Delivery> batch = signals("a", 0, 10);
        deliver(batch);
        RunRow before = row(held.runId());
        assertThat(deliver(batch))
                .containsExactlyElementsOf(
                        range(1, 10).stream().map(DeliverOutcome.Duplicate::new).toList());
        assertThat(row(held.runId())).isEqualTo(before);
    }

    @Test
    default void allItemsForAClosedRunAreRefused() {
        Held held = held("a");
        accepted(signal("a", "k1"));
        committed(Held.consuming(held.close(), 1));
        RunRow closed = row(held.runId());
        assertThat(deliver(signals("a", 0, 3)))
                .containsExactly(
                        new DeliverOutcome.RunClosed(closed),
                        new DeliverOutcome.Duplicate(1),
                        new DeliverOutcome.RunClosed(closed));
        assertThat(mail("a")).hasSize(1);
    }

    @Test
    default void itemThatADatabaseMayNotHoldIsKeptOrRefusedByItselfAmongOthersOfItsWorkflowId() {
        held("a");
        List<Delivery> batch = List.of(signal("a", "k1"), signal("a", "nul\u0000nul"), signal("a", "k3"));
        List<DeliverOutcome> outcomes = deliver(batch);
        boolean kept = outcomes.get(1) instanceof DeliverOutcome.Accepted;
        assertThat(outcomes.get(1)).isInstanceOfAny(DeliverOutcome.Accepted.class, DeliverOutcome.Rejected.class);
        assertThat(positions(List.of(outcomes.get(0), outcomes.get(2)))).containsExactly(1L, kept ? 3L : 2L);
        assertThat(mail("a")).hasSize(kept ? 3 : 2);
    }

    @Test
    default void tenThousandItemsForOneWorkflowIdAreAccepted() {
        Held held = held("a");
        for (int i = 0; i < 10_000; i += 1_000) {
            assertThat(positions(deliver(signals("a", i, i + 1_000)))).isEqualTo(range(i + 1, i + 1_000));
        }
        assertThat(positions(deliver(signals("a", 10_000, 20_000)))).isEqualTo(range(10_001, 20_000));
        assertThat(deliver(signals("a", 5_000, 6_000)).get(999)).isEqualTo(new DeliverOutcome.Duplicate(6_000));
        assertThat(row(held.runId()).mail()).isEqualTo(20_000);
    }

    @Test
    default void mailIsReadInPages() {
        held("a");
        held("b");
        deliver(Stream.concat(signals("a", 0, 2_500).stream(), signals("b", 0, 10).stream())
                .toList());
        List<InboxMessage> all = new ArrayList<>();
        for (List<InboxMessage> page = page(0); !page.isEmpty(); page = page(all.size())) {
            assertThat(page.size()).isLessThanOrEqualTo(1_000);
            all.addAll(page);
        }
        assertThat(all).extracting(InboxMessage::position).containsExactlyElementsOf(range(1, 2_500));
        assertThat(page(2_499)).hasSize(1);
    }

    private List<InboxMessage> page(long after) {
        return store().mail(SHARD, "a", after, 1_000);
    }

    @Test
    default void batchesFromManySendersFollowEachOtherWithoutGaps() throws Exception {
        started(pending("a"));
        started(pending("b"));
        Together.run(8, thread -> {
            for (int i = 0; i < 10; i++) {
                List<Delivery> batch = new ArrayList<>();
                for (int j = 0; j < 10; j++) {
                    batch.add(signal(j % 3 == 0 ? "b" : "a", thread + "-" + i + "-" + j));
                }
                sendAll(storeOf(thread), batch);
            }
            return null;
        });
        for (String id : List.of("a", "b")) {
            int count = id.equals("a") ? 8 * 10 * 6 : 8 * 10 * 4;
            List<InboxMessage> mail = mail(id);
            assertThat(mail).extracting(InboxMessage::position).containsExactlyElementsOf(range(1, count));
            assertThat(mail).extracting(InboxMessage::key).doesNotHaveDuplicates();
            for (int thread = 0; thread < 8; thread++) {
                String mine = thread + "-";
                assertThat(mail.stream().map(InboxMessage::key).filter(key -> key.startsWith(mine)))
                        .isSorted();
            }
        }
    }

    /** Sends the locked items again, still together. Items for one run are locked together. */
    private void sendAll(Store store, List<Delivery> batch) {
        List<Delivery> rest = batch;
        while (!rest.isEmpty()) {
            List<DeliverOutcome> outcomes = store.deliver(SHARD, rest, LEASE);
            List<Delivery> locked = new ArrayList<>();
            for (int i = 0; i < rest.size(); i++) {
                if (outcomes.get(i) instanceof DeliverOutcome.Locked) {
                    locked.add(rest.get(i));
                } else {
                    assertThat(outcomes.get(i)).isInstanceOf(DeliverOutcome.Accepted.class);
                }
            }
            rest = locked;
        }
    }

    @Test
    default void overlappingBatchesFromManySendersAreAcceptedOnce() throws Exception {
        started(pending("a"));
        List<Integer> accepted = Together.run(8, thread -> {
            List<Delivery> batch = new ArrayList<>(signals("a", 0, 50));
            Collections.shuffle(batch);
            int mine = 0;
            for (Delivery delivery : batch) {
                mine += deliverUnlocked(storeOf(thread), delivery) instanceof DeliverOutcome.Accepted ? 1 : 0;
            }
            List<DeliverOutcome> together = storeOf(thread).deliver(SHARD, batch, LEASE);
            assertThat(together).allMatch(DeliverOutcome.Duplicate.class::isInstance);
            return mine;
        });
        assertThat(accepted.stream().mapToInt(Integer::intValue).sum()).isEqualTo(50);
        assertThat(mail("a")).extracting(InboxMessage::position).containsExactlyElementsOf(range(1, 50));
    }
}
