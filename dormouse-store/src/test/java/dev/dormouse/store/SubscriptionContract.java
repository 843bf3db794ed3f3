package dev.dormouse.store;

import static dev.dormouse.store.Samples.FAR;
import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.store.base.Micros;
import dev.dormouse.store.event.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** An event finds the subscriptions to it, once and in order, until they expire or are deleted. */
interface SubscriptionContract extends ContractWords {
    String PAID = "paid";

    /** Ids in UTF-8 order. Java's order has the last but two after the last. */
    List<String> ODD_IDS = List.of(
            " ",
            "\"",
            "'; --",
            "A",
            "Z",
            "a",
            "a ",
            "a%",
            "aa",
            "\u00e4",
            "\u4e16",
            "\uFFFD",
            "\uD83D\uDC2D",
            "\uD83D\uDE00");

    private static Subscription of(String workflowId, String id, String event, String key, Instant until) {
        return new Subscription(workflowId, id, event, key, bytes("match of " + id), until);
    }

    private static Subscription of(String workflowId, String id, String key) {
        return of(workflowId, id, PAID, key, null);
    }

    private Subscription subscribed(Subscription subscription) {
        store().subscribe(SHARD, List.of(subscription));
        return subscription;
    }

    private List<Subscription> find(String... keys) {
        return peer().subscriptions(SHARD, PAID, List.of(keys), null, 1_000);
    }

    private List<String> workflowIds(String... keys) {
        return find(keys).stream().map(Subscription::workflowId).toList();
    }

    private void assertFound(List<Subscription> expected, String... keys) {
        assertThat(find(keys)).usingRecursiveFieldByFieldElementComparator().containsExactlyElementsOf(expected);
    }

    @Test
    default void subscriptionIsFoundByItsEventAndKey() {
        Subscription forGood = subscribed(of("a", "1", "k"));
        Subscription forAWhile = subscribed(of("b", "1", PAID, "k", now().plus(FAR)));
        subscribed(of("a", "2", "other"));
        subscribed(of("a", "3", "sent", "k", null));
        assertFound(List.of(forGood, forAWhile), "k");
        assertThat(workflowIds("none")).isEmpty();
        assertThat(peer().subscriptions(SHARD, "PAID", List.of("k"), null, 10)).isEmpty();
    }

    @Test
    default void sameSubscriptionAgainChangesNothing() {
        Subscription first = subscribed(of("a", "1", "k"));
        subscribed(first);
        peer().subscribe(SHARD, List.of(new Subscription("a", "1", "sent", "other", bytes("other"), now().plus(FAR))));
        assertFound(List.of(first), "k", "other");
        assertThat(store().subscriptions(SHARD, "sent", List.of("k", "other"), null, 10))
                .isEmpty();
    }

    @Test
    default void sameIdOfAnotherWorkflowIsAnotherSubscription() {
        List<Subscription> both = List.of(subscribed(of("a", "1", "k")), subscribed(of("b", "1", "k")));
        assertFound(both, "k");
    }

    @Test
    default void subscriptionEndsAtItsInstantAndNotBefore() {
        Instant until = now().plusMillis(20);
        Subscription subscription = subscribed(of("a", "1", PAID, "k", until));
        boolean found = !find("k").isEmpty();
        assertThat(found || !now().isBefore(until)).isTrue();
        passTime(Duration.between(now(), until));
        assertThat(find("k")).isEmpty();
        assertThat(store().subscriptions(SHARD, PAID, List.of("k"), subscription, 10))
                .isEmpty();
    }

    @Test
    default void instantIsRoundedUp() {
        Instant until = now().plus(FAR).plusNanos(1);
        subscribed(of("a", "1", PAID, "k", until));
        assertThat(find("k").get(0).until()).isEqualTo(Micros.roundUp(until));
    }

    @Test
    default void subscriptionWhoseTimeHasPassedIsNotFound() {
        subscribed(of("a", "1", PAID, "k", now()));
        subscribed(of("a", "2", PAID, "k", now().minus(FAR)));
        subscribed(of("a", "3", PAID, "k", Instant.EPOCH));
        Subscription lasting = subscribed(of("b", "1", PAID, "k", Micros.MAX));
        assertFound(List.of(lasting), "k");
    }

    @Test
    default void subscriptionsAreDeletedByTheirIdsAndUnknownOnesAreIgnored() {
        Subscription gone = subscribed(of("a", "1", "k"));
        Subscription kept = subscribed(of("a", "2", "k"));
        Subscription other = subscribed(of("b", "1", "k"));
        Subscription sameIds = new Subscription("a", "1", "whatever", "x", bytes(""), Instant.EPOCH);
        peer().unsubscribe(SHARD, List.of(of("unknown", "1", "k"), sameIds, gone, of("a", "3", "k")));
        assertFound(List.of(kept, other), "k");
        store().unsubscribe(SHARD, List.of(gone));
        store().unsubscribe(SHARD, List.of());
        assertFound(List.of(kept, other), "k");
        subscribed(gone);
        assertFound(List.of(gone, kept, other), "k");
    }

    @Test
    default void keysAreLookedUpTogetherAndNoneTwice() {
        Subscription a = subscribed(of("a", "1", "x"));
        Subscription b = subscribed(of("a", "2", "y"));
        Subscription c = subscribed(of("a", "0", "z"));
        assertFound(List.of(a, b, c), "z", "x", "none", "y", "x");
        assertThat(store().subscriptions(SHARD, PAID, Set.of("y"), null, 10)).hasSize(1);
        assertThat(store().subscriptions(SHARD, PAID, List.of(), null, 10)).isEmpty();
        assertThat(store().subscriptions(SHARD, PAID, List.of(), a, 10)).isEmpty();
        assertThat(store().subscriptions(SHARD, PAID, List.of("x", "y"), null, 0))
                .isEmpty();
    }

    /** Reads all pages. Returns everything that was found. */
    private List<Subscription> pages(Collection<String> keys, int limit) {
        List<Subscription> all = new ArrayList<>();
        List<Subscription> page = store().subscriptions(SHARD, PAID, keys, null, limit);
        while (!page.isEmpty()) {
            assertThat(page).hasSizeLessThanOrEqualTo(limit);
            all.addAll(page);
            page = store().subscriptions(SHARD, PAID, keys, page.get(page.size() - 1), limit);
        }
        return all;
    }

    @Test
    default void pagesContinueWhereTheLastOneEndedInUtf8Order() {
        List<Subscription> expected = new ArrayList<>();
        for (String key : ODD_IDS.subList(6, ODD_IDS.size())) {
            for (String workflowId : ODD_IDS) {
                expected.add(of(workflowId, key + "-\uD83D\uDE00", key));
            }
        }
        List<Subscription> shuffled = new ArrayList<>(expected);
        Collections.shuffle(shuffled);
        shuffled.forEach(this::subscribed);
        List<String> keys = new ArrayList<>(ODD_IDS);
        Collections.shuffle(keys);
        for (int limit : new int[] {1, 5, ODD_IDS.size(), 1_000}) {
            assertThat(pages(keys, limit))
                    .usingRecursiveFieldByFieldElementComparator()
                    .containsExactlyElementsOf(expected);
        }
    }

    @Test
    default void idsOfOneWorkflowAreOrderedToo() {
        List<Subscription> expected =
                ODD_IDS.stream().map(id -> of("a", id, "k")).toList();
        expected.stream().sorted(Comparator.comparing(Subscription::id)).forEach(this::subscribed);
        for (int limit : new int[] {1, 3, 100}) {
            assertThat(pages(List.of("k"), limit))
                    .usingRecursiveFieldByFieldElementComparator()
                    .containsExactlyElementsOf(expected);
        }
    }

    @Test
    default void pageContinuesAfterADeletedSubscriptionAndPastAnAddedOne() {
        List<Subscription> all =
                ODD_IDS.stream().map(id -> subscribed(of("w-" + id, "1", "k"))).toList();
        Subscription last = all.get(4);
        store().unsubscribe(SHARD, List.of(last, all.get(5)));
        subscribed(of("before all", "1", "k"));
        assertThat(store().subscriptions(SHARD, PAID, List.of("k"), last, 2))
                .extracting(Subscription::workflowId)
                .containsExactly("w-" + ODD_IDS.get(6), "w-" + ODD_IDS.get(7));
    }

    @Test
    default void oddTextsAndLargeMatchesAreKept() {
        String odd = "it's \"odd\" \uD83D\uDC2D {}, \\ \n NULL";
        byte[] large = Samples.randomBytes(2 * 1024 * 1024);
        subscribed(new Subscription(odd, odd, odd, odd, large, null));
        subscribed(new Subscription("a", "", odd, "", bytes(""), null));
        List<Subscription> found = store().subscriptions(SHARD, odd, List.of(odd), null, 10);
        assertThat(found).hasSize(1);
        Subscription one = found.get(0);
        assertThat(List.of(one.workflowId(), one.id(), one.event(), one.key())).containsOnly(odd);
        assertThat(one.until()).isNull();
        assertThat(one.match()).isEqualTo(large); // comparing two million bytes field by field takes a minute
        assertThat(store().subscriptions(SHARD, odd, List.of(""), null, 10))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(new Subscription("a", "", odd, "", bytes(""), null));
    }

    @Test
    default void storeKeepsItsOwnCopyOfAMatch() {
        byte[] match = bytes("as it was");
        store().subscribe(SHARD, List.of(new Subscription("a", "1", PAID, "k", match, null)));
        match[0] = 'X';
        assertThat(find("k").get(0).match()).isEqualTo(bytes("as it was"));
        find("k").get(0).match()[0] = 'X';
        assertThat(find("k").get(0).match()).isEqualTo(bytes("as it was"));
    }

    @Test
    default void instantThatNoStoreCanKeepIsRefused() {
        assertThatThrownBy(() -> store().subscribe(SHARD, List.of(of("a", "1", PAID, "k", Instant.MAX))))
                .hasMessageContaining("Expected an instant between");
        assertThat(find("k")).isEmpty();
    }

    /**
     * Uses the ids as evidence: a deleted subscription can be stored again under its id, an existing one stays and is
     * not found.
     */
    @Test
    default void expiredSubscriptionsAreDeletedWhenOthersAreAdded() {
        Duration life = Duration.ofMillis(20);
        Instant until = now().plus(FAR);
        for (int i = 0; i < 30; i++) {
            subscribed(of("old-" + i, "1", PAID, "k", now().plus(life)));
        }
        passTime(life);
        for (int i = 0; i < 3; i++) {
            subscribed(of("new-" + i, "1", PAID, "new", i == 0 ? null : until));
        }
        for (int i = 0; i < 30; i++) {
            subscribed(of("old-" + i, "1", PAID, "k", null));
        }
        assertThat(find("k")).hasSize(30);
        assertThat(find("new")).hasSize(3);
    }

    @Test
    default void batchIsKeptAndAnEmptyOneChangesNothing() {
        Subscription second = of("a", "2", PAID, "k", now().plus(FAR));
        Subscription other = new Subscription("b", "1", "sent", "k", bytes(""), null);
        List<Subscription> batch = List.of(of("b", "2", "l"), second, other, of("a", "1", "k"));
        store().subscribe(SHARD, batch);
        assertFound(List.of(batch.get(3), second, batch.get(0)), "k", "l");
        assertThat(peer().subscriptions(SHARD, "sent", List.of("k"), null, 10))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(other);
        store().subscribe(SHARD, List.of());
        peer().subscribe(SHARD, batch);
        assertFound(List.of(batch.get(3), second, batch.get(0)), "k", "l");
    }

    @Test
    default void batchOfAThousandIsKept() {
        List<Subscription> all = IntStream.range(0, 1_000)
                .mapToObj(i -> of("w-" + (1_000 + i), "1", PAID, "k", i % 2 == 0 ? null : Micros.MAX))
                .toList();
        List<Subscription> shuffled = new ArrayList<>(all);
        Collections.shuffle(shuffled);
        store().subscribe(SHARD, shuffled);
        assertFound(all, "k");
        store().unsubscribe(SHARD, shuffled);
        assertFound(List.of(), "k");
    }

    @Test
    default void existingSubscriptionsOfABatchStayUnchanged() {
        List<Subscription> first = List.of(of("a", "2", "k"), of("b", "1", PAID, "k", Micros.MAX));
        store().subscribe(SHARD, first);
        Subscription before = of("a", "1", "k");
        Subscription between = of("a", "3", "k");
        Subscription behind = of("c", "1", "k");
        Subscription changed = new Subscription("a", "2", "sent", "other", bytes("other"), now().plus(FAR));
        Subscription passed = of("b", "1", PAID, "other", now());
        peer().subscribe(SHARD, List.of(behind, changed, before, passed, between));
        assertFound(List.of(before, first.get(0), between, first.get(1), behind), "k", "other");
        assertThat(store().subscriptions(SHARD, "sent", List.of("k", "other"), null, 10))
                .isEmpty();
    }

    /** Uses the ids as evidence: other subscriptions can be stored under them at once. */
    @Test
    default void expiredSubscriptionsOfABatchAreNotStored() {
        Instant now = now();
        List<Subscription> batch = IntStream.range(0, 60)
                .mapToObj(i -> of("w-" + (10 + i), "1", PAID, "k", i % 2 == 0 ? now.minusMillis(i) : now.plus(FAR)))
                .toList();
        store().subscribe(SHARD, batch);
        List<Subscription> lasting =
                batch.stream().filter(one -> one.until().isAfter(now)).toList();
        assertThat(workflowIds("k"))
                .containsExactlyElementsOf(
                        lasting.stream().map(Subscription::workflowId).toList());
        store().subscribe(
                        SHARD,
                        batch.stream()
                                .map(one -> of(one.workflowId(), "1", PAID, "k", null))
                                .toList());
        assertThat(find("k")).hasSize(60);
        assertThat(find("k")).filteredOn(one -> one.until() == null).hasSize(30);
    }

    @Test
    default void batchOfWhichOneIsRefusedIsNotKept() {
        List<Subscription> batch = List.of(of("a", "1", "k"), of("b", "1", PAID, "k", Instant.MAX), of("c", "1", "k"));
        assertThatThrownBy(() -> store().subscribe(SHARD, batch)).hasMessageContaining("Expected an instant between");
        assertThat(find("k")).isEmpty();
    }

    /** Uses the ids as evidence: deleted subscriptions can be stored again. */
    @Test
    default void moreExpiredSubscriptionsAreDeletedWithALargerBatch() {
        Instant until = now().plusMillis(300);
        List<Subscription> old = IntStream.range(0, 500)
                .mapToObj(i -> of("old-" + i, "1", PAID, "k", until))
                .toList();
        store().subscribe(SHARD, old);
        passTime(Duration.between(now(), until).plusMillis(1));
        store().subscribe(
                        SHARD,
                        IntStream.range(0, 25)
                                .mapToObj(i -> of("new-" + i, "1", "new"))
                                .toList());
        store().subscribe(
                        SHARD,
                        old.stream().map(one -> of(one.workflowId(), "1", "k")).toList());
        assertThat(find("k")).hasSize(500);
        assertThat(find("new")).hasSize(25);
    }

    @Test
    default void batchesThatOverlapAreKeptAtOnce() throws Exception {
        for (int round = 0; round < 10; round++) {
            String key = "round-" + round;
            Together.run(6, thread -> {
                List<Subscription> batch = new ArrayList<>(IntStream.range(thread * 5, thread * 5 + 50)
                        .mapToObj(i -> of("w-" + i, key, key))
                        .toList());
                Collections.shuffle(batch);
                (thread % 2 == 0 ? store() : peer()).subscribe(SHARD, batch);
                return true;
            });
            assertThat(workflowIds(key)).hasSize(75).doesNotHaveDuplicates();
        }
    }

    @Test
    default void concurrentIdenticalSubscriptionsAreStoredOnce() throws Exception {
        for (int round = 0; round < 10; round++) {
            String id = "round-" + round;
            Together.run(8, thread -> {
                Store store = thread % 2 == 0 ? store() : peer();
                store.subscribe(SHARD, List.of(of("a", id, PAID, id, thread % 3 == 0 ? null : Micros.MAX)));
                assertThat(store.subscriptions(SHARD, PAID, List.of(id), null, 10))
                        .hasSize(1);
                return true;
            });
        }
        assertThat(IntStream.range(0, 10).mapToObj(i -> "round-" + i).flatMap(id -> find(id).stream()))
                .hasSize(10);
    }

    @Test
    default void subscribingReadingAndUnsubscribingRunConcurrently() throws Exception {
        Together.run(6, thread -> {
            Store store = thread % 2 == 0 ? store() : peer();
            for (int i = 0; i < 25; i++) {
                Subscription mine = of("w-" + thread, "id-" + i, "k");
                store.subscribe(SHARD, List.of(mine));
                store.subscribe(SHARD, List.of(of("w-" + thread, "brief-" + i, PAID, "k", now().plusMillis(1))));
                List<Subscription> all = new ArrayList<>(store.subscriptions(SHARD, PAID, List.of("k"), null, 100));
                assertThat(all).extracting(Subscription::workflowId).contains("w-" + thread);
                Collections.shuffle(all);
                all.removeIf(
                        one -> one.id().startsWith("id-") && !one.workflowId().equals("w-" + thread));
                store.unsubscribe(SHARD, all);
            }
            return true;
        });
        passTime(Duration.ofMillis(1));
        assertThat(find("k")).isEmpty();
    }
}
