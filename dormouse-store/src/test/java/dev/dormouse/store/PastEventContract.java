package dev.dormouse.store;

import static dev.dormouse.store.Samples.FAR;
import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.event.PastEvent;
import dev.dormouse.store.event.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Recently published events are recalled, latest first, and deleted in the end. */
interface PastEventContract extends ContractWords {
    Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

    private static PastEvent event(String name, String id) {
        return new PastEvent(name, id, bytes("payload of " + id));
    }

    private PastEvent remembered(String name, String id, Duration keep) {
        PastEvent event = event(name, id);
        store().remember(SHARD, List.of(event), keep);
        return event;
    }

    private List<String> recall(String name, Duration age, int limit) {
        return peer().recall(SHARD, name, age, limit).stream()
                .map(PastEvent::id)
                .toList();
    }

    @Test
    default void eventsAreRecalledLatestFirstUpToTheLimit() {
        List<PastEvent> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            all.add(0, remembered("paid", "id-" + (i * 7 % 10), FAR));
            remembered("sent", "id-" + i, FAR);
            tick();
        }
        assertThat(peer().recall(SHARD, "paid", FAR, 100))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactlyElementsOf(all);
        assertThat(peer().recall(SHARD, "paid", FAR, 3))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactlyElementsOf(all.subList(0, 3));
        assertThat(recall("paid", FAR, 0)).isEmpty();
        assertThat(recall("PAID", FAR, 10)).isEmpty();
    }

    @Test
    default void eventsOfOneMomentHaveAnOrderThatStays() {
        for (int i = 0; i < 20; i++) {
            remembered("paid", "id-" + (i * 7 % 20), FAR);
        }
        List<String> all = recall("paid", FAR, 100);
        assertThat(all).hasSize(20).doesNotHaveDuplicates();
        for (int limit = 1; limit < 20; limit++) {
            assertThat(recall("paid", FAR, limit)).isEqualTo(all.subList(0, limit));
        }
    }

    @Test
    default void sameEventAgainChangesNothing() {
        PastEvent first = remembered("paid", "1", FAR);
        tick();
        remembered("paid", "2", FAR);
        tick();
        peer().remember(SHARD, List.of(first), FAR);
        store().remember(SHARD, List.of(new PastEvent("paid", "1", bytes("other"))), Duration.ZERO);
        tick();
        remembered("paid", "3", FAR);
        assertThat(recall("paid", FAR, 10)).containsExactly("3", "2", "1");
        assertThat(store().recall(SHARD, "paid", FAR, 10).get(2).payload()).isEqualTo(first.payload());
        store().remember(SHARD, List.of(event("sent", "1")), FAR);
        assertThat(recall("sent", FAR, 10)).containsExactly("1");
    }

    @Test
    default void olderEventsAreLeftOut() {
        remembered("paid", "old", FAR);
        Duration age = Duration.ofMillis(200);
        passTime(age.plusMillis(1));
        Instant before = now();
        remembered("paid", "young", FAR);
        List<String> found = recall("paid", age, 10);
        boolean inTime = Duration.between(before, now()).compareTo(age) <= 0;
        assertThat(found).doesNotContain("old");
        assertThat(found.contains("young") || !inTime).isTrue();
        assertThat(recall("paid", FOR_EVER, 10)).containsExactly("young", "old");
    }

    @Test
    default void expiredEventsAreDeletedWhenOthersAreAdded() {
        Duration life = Duration.ofMillis(5);
        for (int i = 0; i < 45; i++) {
            remembered("paid", "old-" + i, life);
        }
        passTime(life);
        for (int i = 0; i < 3; i++) {
            remembered("sent", "new-" + i, FOR_EVER);
        }
        assertThat(recall("paid", FAR, 100)).isEmpty();
        assertThat(recall("sent", FAR, 100)).hasSize(3);
        remembered("paid", "old-0", FAR);
        assertThat(recall("paid", FAR, 100)).containsExactly("old-0");
    }

    @Test
    default void eventsThatAreKeptForNoTimeAreForgotten() {
        remembered("paid", "1", Duration.ZERO);
        tick();
        remembered("sent", "1", FAR);
        assertThat(recall("paid", FAR, 10)).isEmpty();
    }

    @Test
    default void eventsThatAreStillKeptAreNotForgotten() {
        for (int i = 0; i < 50; i++) {
            remembered("paid", "id-" + i, i % 2 == 0 ? FAR : FOR_EVER);
            tick();
        }
        assertThat(recall("paid", FAR, 100)).hasSize(50);
    }

    @Test
    default void oddNamesAndLargePayloadsOfEventsAreKept() {
        String odd = "it's \"odd\" \uD83D\uDC2D {}, \\ \n NULL";
        byte[] payload = Samples.randomBytes(2 * 1024 * 1024);
        store().remember(SHARD, List.of(new PastEvent(odd, odd, payload)), FAR);
        store().remember(SHARD, List.of(new PastEvent("", "", bytes(""))), FAR);
        PastEvent found = store().recall(SHARD, odd, FAR, 10).get(0);
        assertThat(List.of(found.event(), found.id())).containsOnly(odd);
        assertThat(found.payload()).isEqualTo(payload);
        assertThat(store().recall(SHARD, "", FAR, 10).get(0).payload()).isEmpty();
    }

    @Test
    default void storeKeepsItsOwnCopyOfAnEvent() {
        byte[] payload = bytes("as it was");
        store().remember(SHARD, List.of(new PastEvent("paid", "1", payload)), FAR);
        payload[0] = 'X';
        assertThat(store().recall(SHARD, "paid", FAR, 1).get(0).payload()).isEqualTo(bytes("as it was"));
    }

    @Test
    default void batchOfEventsIsKeptAndAnEmptyOneChangesNothing() {
        List<PastEvent> batch = List.of(event("paid", "2"), event("sent", "1"), event("paid", "1"));
        store().remember(SHARD, batch, FAR);
        tick();
        store().remember(SHARD, List.of(event("paid", "0"), event("paid", "3")), FAR);
        store().remember(SHARD, List.of(), FAR);
        List<PastEvent> paid = peer().recall(SHARD, "paid", FAR, 10);
        assertThat(paid.subList(0, 2)).extracting(PastEvent::id).containsExactlyInAnyOrder("0", "3");
        assertThat(paid.subList(2, 4))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactlyInAnyOrder(batch.get(0), batch.get(2));
        assertThat(peer().recall(SHARD, "sent", FAR, 10))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(batch.get(1));
    }

    @Test
    default void batchOfAThousandEventsIsKept() {
        List<PastEvent> batch = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            batch.add(event("name-" + i % 2, "id-" + i));
        }
        List<PastEvent> shuffled = new ArrayList<>(batch);
        Collections.shuffle(shuffled);
        store().remember(SHARD, shuffled, FAR);
        List<PastEvent> found = new ArrayList<>(peer().recall(SHARD, "name-0", FAR, 1_000));
        assertThat(found).hasSize(500);
        found.addAll(peer().recall(SHARD, "name-1", FAR, 1_000));
        batch.sort(Comparator.comparing(PastEvent::id));
        found.sort(Comparator.comparing(PastEvent::id));
        assertThat(found).usingRecursiveFieldByFieldElementComparator().containsExactlyElementsOf(batch);
    }

    @Test
    default void existingEventsOfABatchStayUnchanged() {
        store().remember(SHARD, List.of(event("paid", "2"), event("paid", "4")), FAR);
        tick();
        PastEvent changed = new PastEvent("paid", "2", bytes("other"));
        List<PastEvent> batch = List.of(event("paid", "5"), changed, event("paid", "1"), event("paid", "4"));
        peer().remember(SHARD, batch, FAR);
        List<PastEvent> found = store().recall(SHARD, "paid", FAR, 10);
        assertThat(found.subList(0, 2)).extracting(PastEvent::id).containsExactlyInAnyOrder("1", "5");
        assertThat(found.subList(2, 4))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactlyInAnyOrder(event("paid", "2"), event("paid", "4"));
        tick();
        store().remember(SHARD, batch, Duration.ZERO);
        assertThat(recall("paid", FAR, 10))
                .isEqualTo(found.stream().map(PastEvent::id).toList());
    }

    @Test
    default void eventsOfABatchThatAreKeptForNoTimeAreForgotten() {
        List<PastEvent> batch = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            batch.add(event("paid", "id-" + i));
        }
        remembered("paid", "lasting", FAR);
        store().remember(SHARD, batch, Duration.ZERO);
        tick();
        store().remember(SHARD, List.of(event("sent", "1"), event("sent", "2"), event("sent", "3")), FAR);
        assertThat(recall("paid", FAR, 100)).containsExactly("lasting");
        assertThat(recall("sent", FAR, 100)).hasSize(3);
    }

    @Test
    default void batchesOfEventsThatOverlapAreKeptAtOnce() throws Exception {
        for (int round = 0; round < 10; round++) {
            String name = "round-" + round;
            Together.run(6, thread -> {
                List<PastEvent> batch = new ArrayList<>();
                for (int i = thread * 5; i < thread * 5 + 50; i++) {
                    batch.add(event(name, "id-" + i));
                }
                Collections.shuffle(batch);
                (thread % 2 == 0 ? store() : peer()).remember(SHARD, batch, FAR);
                return true;
            });
            assertThat(recall(name, FAR, 100)).hasSize(75).doesNotHaveDuplicates();
        }
    }

    /** Runs a subscriber and a publisher at once: at least one of them sees the other. */
    @Test
    default void subscriberAndPublisherCannotBothMissEachOther() throws Exception {
        for (int round = 0; round < 50; round++) {
            String id = "round-" + round;
            List<Boolean> seen = Together.run(2, thread -> {
                if (thread == 0) {
                    store().subscribe(SHARD, List.of(new Subscription("a", id, id, "k", bytes(""), null)));
                    return !store().recall(SHARD, id, FAR, 1).isEmpty();
                }
                peer().remember(SHARD, List.of(event(id, "1")), FAR);
                return !peer().subscriptions(SHARD, id, List.of("k"), null, 1).isEmpty();
            });
            assertThat(seen).contains(true);
        }
    }

    @Test
    default void eventsRememberedConcurrentlyAreKeptOnceEach() throws Exception {
        Together.run(6, thread -> {
            Store store = thread % 2 == 0 ? store() : peer();
            List<Integer> ids = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
            Collections.shuffle(ids);
            for (int id : ids) {
                store.remember(SHARD, List.of(event("paid", "id-" + id)), FAR);
                store.remember(SHARD, List.of(event("brief", thread + "-" + id)), Duration.ofMillis(1));
            }
            return true;
        });
        assertThat(recall("paid", FAR, 100)).hasSize(10).doesNotHaveDuplicates();
    }
}
