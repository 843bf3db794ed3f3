package dev.dormouse.testing.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.Store;
import dev.dormouse.store.base.Notice;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.event.PastEvent;
import dev.dormouse.store.event.Subscription;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import dev.dormouse.store.run.Sweep;
import dev.dormouse.store.run.Swept;
import dev.dormouse.testing.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class FaultyStoreTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Sweep SWEEP = new Sweep("n", "b", List.of("lane"), 10);

    private final SimWorld world = new SimWorld(21);
    private final SimDatabase database = new SimDatabase(world, new MemoryStore(world.storeClock(), 1));

    private Store connect(FaultProfile profile) {
        return database.connect(world.newNode("n"), profile);
    }

    private static Start start(String workflowId) {
        NextState next = NextState.pending(Alarm.NONE, WakeReason.START);
        Append first = new Append(1, new byte[0], 1);
        return new Start(
                workflowId,
                UUID.nameUUIDFromBytes(workflowId.getBytes(StandardCharsets.UTF_8)),
                "T",
                "lane",
                "",
                next,
                first,
                Set.of());
    }

    private boolean isStored(String workflowId) {
        return database.store().current(0, workflowId).isPresent();
    }

    @Test
    void callTakesTimeAndIsAnswered() {
        world.run(() -> {
            Store store = connect(FaultProfile.CALM);
            Duration before = world.elapsed();
            assertThat(store.start(0, List.of(start("a"))).get(0)).isInstanceOf(StartOutcome.Started.class);
            assertThat(world.elapsed()).isGreaterThan(before).isLessThan(before.plusMillis(5));
        });
    }

    @Test
    void unknownOutcomeMayBeAppliedAtOnceLaterOrNever() {
        Set<String> seen = new HashSet<>();
        world.run(() -> {
            Store store = connect(FaultProfile.CALM.withUnknown(1));
            for (int i = 0; i < 50; i++) {
                StartOutcome outcome = store.start(0, List.of(start("wf-" + i))).get(0);
                assertThat(outcome).isInstanceOf(StartOutcome.Unknown.class);
                boolean atOnce = isStored("wf-" + i);
                world.sleep(MINUTE);
                seen.add(atOnce ? "at once" : isStored("wf-" + i) ? "later" : "never");
            }
        });
        assertThat(seen).containsExactlyInAnyOrder("at once", "later", "never");
    }

    @Test
    void otherCallsThrowWhenTheConnectionBreaks() {
        world.run(() -> {
            Store store = connect(FaultProfile.CALM.withUnknown(1));
            assertThatThrownBy(() -> store.sweep(0, SWEEP)).isInstanceOf(StoreException.class);
            assertThatThrownBy(() -> store.current(0, "a")).isInstanceOf(StoreException.class);
            store.notify(List.of(new Notice.Closed(new UUID(0, 1))));
        });
    }

    private List<Subscription> subscribers() {
        return database.store().subscriptions(0, "paid", List.of("k"), null, 100);
    }

    @Test
    void eventsAndDefinitionsMayBeKeptOrNotWhenTheConnectionBreaks() {
        world.run(() -> {
            Store store = connect(FaultProfile.CALM.withUnknown(1));
            for (int i = 0; i < 30; i++) {
                String id = "wf-" + i;
                List<Subscription> subscriptions = List.of(
                        new Subscription(id, "1", "paid", "k", new byte[0], null),
                        new Subscription(id, "2", "paid", "k", new byte[0], null));
                List<PastEvent> events =
                        List.of(new PastEvent("paid", id, new byte[0]), new PastEvent("sent", id, new byte[0]));
                int version = i + 1;
                assertThatThrownBy(() -> store.subscribe(0, subscriptions)).isInstanceOf(StoreException.class);
                assertThatThrownBy(() -> store.remember(0, events, MINUTE.multipliedBy(100)))
                        .isInstanceOf(StoreException.class);
                assertThatThrownBy(() -> store.define(0, "a", version, new byte[0]))
                        .isInstanceOf(StoreException.class);
            }
            world.sleep(MINUTE);
            assertAllOrNoneOfEachBatchOfTwo();
            assertThat(database.store().definitions(0, Instant.EPOCH, null, 100))
                    .hasSizeBetween(1, 29);
        });
    }

    private void assertAllOrNoneOfEachBatchOfTwo() {
        List<String> first = workflowIds("1");
        assertThat(first).hasSizeBetween(1, 29).isEqualTo(workflowIds("2"));
        List<String> paid = recalled("paid");
        assertThat(paid).hasSizeBetween(1, 29).isEqualTo(recalled("sent"));
    }

    private List<String> workflowIds(String id) {
        return subscribers().stream()
                .filter(one -> one.id().equals(id))
                .map(Subscription::workflowId)
                .toList();
    }

    private List<String> recalled(String event) {
        return database.store().recall(0, event, MINUTE.multipliedBy(100), 100).stream()
                .map(PastEvent::id)
                .toList();
    }

    @Test
    void failoverLosesSubscriptionsEventsAndDefinitions() {
        world.run(() -> {
            Store store = connect(FaultProfile.CALM);
            Subscription kept = new Subscription("kept", "1", "paid", "k", new byte[0], null);
            store.subscribe(0, List.of(kept));
            store.unsubscribe(0, List.of(kept));
            store.subscribe(0, List.of(new Subscription("lost", "1", "paid", "k", new byte[0], null)));
            store.remember(0, List.of(new PastEvent("paid", "1", new byte[0])), MINUTE);
            assertThat(store.define(0, "a", 1, new byte[0])).isTrue();
            database.failOver(4);
            assertThat(subscribers()).extracting(Subscription::workflowId).containsExactly("kept");
            assertThat(database.store().recall(0, "paid", MINUTE, 10)).isEmpty();
            assertThat(database.store().definition(0, "a", 0)).isEmpty();
        });
    }

    @Test
    void nodeMayCrashBeforeOrAfterTheCall() {
        Set<Boolean> applied = new HashSet<>();
        world.run(() -> {
            for (int i = 0; i < 20; i++) {
                SimNode node = world.newNode("n" + i);
                Store store = database.connect(node, FaultProfile.CALM.withCrashes(1));
                String workflowId = "wf-" + i;
                node.threads().startEngine("starter", () -> {
                    store.start(0, List.of(start(workflowId)));
                    throw new AssertionError("Expected the node to be dead.");
                });
                world.sleep(MINUTE);
                assertThat(node.isKilled()).isTrue();
                applied.add(isStored(workflowId));
            }
        });
        assertThat(applied).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void requestOfAKilledOrPausedNodeIsExecutedAllTheSame() {
        world.run(() -> {
            FaultProfile slow = FaultProfile.CALM.withStalls(1).lastingUpTo(MINUTE);
            for (boolean killed : new boolean[] {true, false}) {
                SimNode node = world.newNode("n");
                Store store = database.connect(node, slow);
                node.threads().startEngine("starter", () -> store.start(0, List.of(start("wf-" + killed))));
                world.sleep(Duration.ofMillis(1));
                if (killed) {
                    node.kill();
                } else {
                    node.pause();
                }
                assertThat(isStored("wf-" + killed)).isFalse();
                world.sleep(MINUTE);
                assertThat(isStored("wf-" + killed)).isTrue();
            }
        });
    }

    @Test
    void stallsMayBeLongerThanALease() {
        world.run(() -> {
            Store store = connect(FaultProfile.CALM.withStalls(1).lastingUpTo(MINUTE));
            Duration longest = Duration.ZERO;
            for (int i = 0; i < 20; i++) {
                Duration before = world.elapsed();
                store.sweep(0, SWEEP);
                Duration took = world.elapsed().minus(before);
                longest = took.compareTo(longest) > 0 ? took : longest;
            }
            assertThat(longest).isBetween(Duration.ofSeconds(30), MINUTE.multipliedBy(2));
        });
    }

    @Test
    void entriesOfABatchMayBeLockedWithoutTheOthers() {
        world.run(() -> {
            Store store = connect(FaultProfile.CALM.withLocked(0.5));
            List<Start> batch = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                batch.add(start("wf-" + i));
            }
            List<StartOutcome> outcomes = store.start(0, batch);
            for (int i = 0; i < 40; i++) {
                boolean isLocked = outcomes.get(i) instanceof StartOutcome.Locked;
                assertThat(isStored("wf-" + i)).isEqualTo(!isLocked);
            }
            assertThat(outcomes).hasAtLeastOneElementOfType(StartOutcome.Locked.class);
            assertThat(outcomes).hasAtLeastOneElementOfType(StartOutcome.Started.class);
        });
    }

    @Test
    void failoverLosesTheLatestCommitsAndChangesTheEpoch() {
        world.run(() -> {
            Store store = connect(FaultProfile.CALM);
            Swept before = store.sweep(0, SWEEP);
            for (int i = 0; i < 5; i++) {
                store.start(0, List.of(start("wf-" + i)));
            }
            database.failOver(2);
            assertThat(isStored("wf-2")).isTrue();
            assertThat(isStored("wf-3")).isFalse();
            assertThat(isStored("wf-4")).isFalse();
            Swept after = store.sweep(0, SWEEP);
            assertThat(after.epoch()).isNotEqualTo(before.epoch());
            assertThat(after.upSince()).isAfter(before.upSince());
            assertThat(store.start(0, List.of(start("wf-4"))).get(0)).isInstanceOf(StartOutcome.Started.class);
        });
    }

    @Test
    void requestsOnTheirWayAreLostInAFailover() {
        world.run(() -> {
            Store store = connect(FaultProfile.CALM.withStalls(1).lastingUpTo(MINUTE));
            world.after(Duration.ofMillis(1), () -> database.failOver(0));
            assertThat(store.start(0, List.of(start("a"))).get(0)).isInstanceOf(StartOutcome.Unknown.class);
            world.sleep(MINUTE);
            assertThat(isStored("a")).isFalse();
        });
    }

    @Test
    void nothingIsReachedWhileTheStoreIsAway() {
        world.run(() -> {
            Store store = connect(FaultProfile.CALM);
            database.goAwayFor(MINUTE);
            assertThatThrownBy(() -> store.sweep(0, SWEEP)).isInstanceOf(StoreException.class);
            assertThat(store.start(0, List.of(start("a"))).get(0)).isInstanceOf(StartOutcome.Unknown.class);
            world.sleep(MINUTE);
            assertThat(isStored("a")).isFalse();
            assertThat(store.sweep(0, SWEEP)).isNotNull();
        });
    }

    @Test
    void storeClockIsSetForwardsAndBack() {
        world.run(() -> {
            Store store = connect(FaultProfile.CALM);
            Swept first = store.sweep(0, SWEEP);
            world.stepStoreClock(Duration.ofHours(1));
            assertThat(store.sweep(0, SWEEP).now()).isAfter(first.now().plus(Duration.ofHours(1)));
            world.stepStoreClock(Duration.ofHours(-2));
            assertThat(store.sweep(0, SWEEP).now()).isBefore(first.now());
        });
    }

    @Test
    void noticesAreLostDoubledAndOvertakenAndNotHeardAfterClosing() {
        List<Notice> heard = new ArrayList<>();
        world.run(() -> {
            Store teller = connect(FaultProfile.CALM);
            Store hearer = connect(FaultProfile.CALM.withBadNotices(0.3, 0.3, Duration.ofSeconds(5)));
            AutoCloseable listening = hearer.listen(heard::add, () -> {});
            for (int i = 0; i < 50; i++) {
                teller.notify(List.of(new Notice.Closed(new UUID(0, i))));
            }
            world.sleep(MINUTE);
            closeQuietly(listening);
            int before = heard.size();
            teller.notify(List.of(new Notice.Closed(new UUID(0, 99))));
            world.sleep(MINUTE);
            assertThat(heard).hasSize(before);
        });
        List<Long> numbers = heard.stream()
                .map(notice -> ((Notice.Closed) notice).runId().getLeastSignificantBits())
                .toList();
        Set<Long> distinct = new HashSet<>(numbers);
        assertThat(distinct).hasSizeBetween(20, 49);
        assertThat(numbers).hasSizeGreaterThan(distinct.size());
        assertThat(numbers).isNotEqualTo(numbers.stream().sorted().toList());
    }

    @Test
    void listenerLearnsThatItMayHaveMissedSomething() {
        int[] gaps = {0};
        world.run(() -> {
            connect(FaultProfile.CALM).listen(notice -> {}, () -> gaps[0]++);
            database.failOver(0);
            database.goAwayFor(MINUTE);
            world.sleep(MINUTE.multipliedBy(2));
        });
        assertThat(gaps[0]).isEqualTo(2);
    }

    private static void closeQuietly(AutoCloseable listening) {
        try {
            listening.close();
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }
}
