package dev.dormouse.store;

import static dev.dormouse.store.Samples.FAR;
import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.bytes;
import static dev.dormouse.store.Samples.pending;
import static dev.dormouse.store.Samples.replacing;
import static dev.dormouse.store.Samples.signal;
import static dev.dormouse.store.Samples.withRunId;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.event.Subscription;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Purged;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A purge deletes closed runs with everything that belongs to them, and nothing else. */
interface PurgeContract extends ContractWords {

    /** Purges from the beginning to the end. Returns how many runs were deleted. */
    private int purgeAll(Instant closedBefore, int limit) {
        int gone = 0;
        Optional<UUID> after = Optional.empty();
        for (int i = 0; i < 10_000; i++) {
            Purged purged = store().purge(SHARD, closedBefore, after, limit);
            assertThat(purged.runs()).isLessThanOrEqualTo(limit);
            gone += purged.runs();
            after = purged.next();
            if (after.isEmpty()) {
                return gone;
            }
        }
        throw new AssertionError("Expected the purge to reach its end, but it does not.");
    }

    @Test
    default void closedRunIsGoneWithItsHistoryInboxAndKeys() {
        Held held = held("a");
        accepted(signal("a", "k"));
        committed(Held.consuming(held.close(), 1));
        tick();
        assertThat(purgeAll(now(), 10)).isEqualTo(1);
        assertThat(store().run(SHARD, held.runId())).isEmpty();
        assertThat(store().current(SHARD, "a")).isEmpty();
        assertThat(history(held.runId())).isEmpty();
        assertThat(mail("a")).isEmpty();
        assertThat(deliver(signal("a", "k"))).isEqualTo(new DeliverOutcome.NoRun());
        Held again = held("a");
        assertThat(row(again.runId()).mail()).isZero();
        assertThat(accepted(signal("a", "k")).position()).isEqualTo(1);
    }

    @Test
    default void openRunsAreKept() {
        UUID pending = started(pending("pending"));
        Held running = held("running");
        Held waiting = held("waiting");
        committed(waiting.suspend(Alarm.NONE));
        Held stuck = held("stuck");
        committed(stuck.becoming(NextState.stuck(Alarm.NONE, "trouble")));
        accepted(signal("waiting", "k"));
        tick();
        assertThat(purgeAll(now().plus(FAR), 2)).isZero();
        assertThat(rows(List.of(pending, running.runId(), waiting.runId(), stuck.runId())))
                .hasSize(4);
        assertThat(mail("waiting")).hasSize(1);
        assertThat(history(waiting.runId())).hasSize(2);
    }

    @Test
    default void youngRunsAreKept() {
        Held old = closed("old", RunStatus.COMPLETED);
        tick();
        Held young = closed("young", RunStatus.FAILED);
        Instant end = row(young.runId()).closedAt();
        assertThat(purgeAll(end, 10)).isEqualTo(1);
        assertThat(store().run(SHARD, old.runId())).isEmpty();
        assertThat(store().run(SHARD, young.runId())).isPresent();
        assertThat(purgeAll(Instant.EPOCH, 10)).isZero();
    }

    @Test
    default void purgeContinuesFromItsCursorInSmallBatches() {
        int closed = 0;
        for (int i = 0; i < 25; i++) {
            UUID runId = started(withRunId(pending("wf-" + i), UUID.randomUUID()));
            if (i % 3 != 0) {
                committed(Held.of(row(runId)).close());
                closed++;
            }
        }
        tick();
        Purged first = store().purge(SHARD, now(), Optional.empty(), 4);
        assertThat(first.next()).isPresent();
        assertThat(first.runs()).isLessThanOrEqualTo(4);
        assertThat(first.runs() + purgeAll(now(), 4)).isEqualTo(closed);
        assertThat(purgeAll(now(), 1)).isZero();
        assertThat(store().list(SHARD, RunFilter.ALL, Optional.empty(), 100).runs())
                .hasSize(9);
    }

    @Test
    default void replacedRunIsPurgedWithoutTheKeysOfItsWorkflowId() {
        Held old = held("a");
        accepted(signal("a", "k"));
        committed(Held.consuming(old.close(), 1));
        tick();
        Instant then = now();
        UUID next = started(replacing(pending("a"), RunStatus.COMPLETED));
        assertThat(purgeAll(then, 10)).isEqualTo(1);
        assertThat(store().run(SHARD, old.runId())).isEmpty();
        assertThat(store().current(SHARD, "a").orElseThrow().runId()).isEqualTo(next);
        assertThat(deliver(signal("a", "k"))).isEqualTo(new DeliverOutcome.Duplicate(1));
        assertThat(history(next)).hasSize(1);
    }

    private void subscribe(String workflowId) {
        Subscription forGood = new Subscription(workflowId, "1", "paid", "k", bytes("x"), null);
        store().subscribe(
                        SHARD,
                        List.of(forGood, new Subscription(workflowId, "2", "sent", "l", bytes("x"), Micros.MAX)));
    }

    private List<String> subscribers() {
        List<Subscription> found = new ArrayList<>(store().subscriptions(SHARD, "paid", List.of("k"), null, 100));
        assertThat(store().subscriptions(SHARD, "sent", List.of("l"), null, 100))
                .hasSameSizeAs(found);
        return found.stream().map(Subscription::workflowId).toList();
    }

    @Test
    default void subscriptionsGoWithTheLastRunOfTheirWorkflowId() {
        for (String id : List.of("A", "a", "a ", "aa", "unknown")) {
            subscribe(id);
        }
        Held old = closed("a", RunStatus.COMPLETED);
        tick();
        Instant then = now();
        UUID next = started(replacing(pending("a"), RunStatus.COMPLETED));
        assertThat(purgeAll(then, 10)).isEqualTo(1);
        assertThat(store().run(SHARD, old.runId())).isEmpty();
        assertThat(subscribers()).containsExactly("A", "a", "a ", "aa", "unknown");
        committed(Held.of(row(next)).close());
        tick();
        assertThat(purgeAll(now(), 10)).isEqualTo(1);
        assertThat(subscribers()).containsExactly("A", "a ", "aa", "unknown");
        subscribe("a");
        assertThat(subscribers()).contains("a");
    }

    @Test
    default void subscriptionsOfARunThatContinuesAreKept() {
        subscribe("a");
        closed("a", RunStatus.CONTINUED);
        tick();
        assertThat(purgeAll(now(), 10)).isZero();
        assertThat(subscribers()).containsExactly("a");
    }

    @Test
    default void neighborsWithSimilarIdsAreNotHarmed() {
        for (String id : Set.of("a", "A", "a ", "a%", "aa")) {
            held(id);
            accepted(signal(id, "k"));
        }
        committed(Held.consuming(
                Held.of(store().current(SHARD, "a").orElseThrow()).close(), 1));
        tick();
        assertThat(purgeAll(now(), 10)).isEqualTo(1);
        for (String id : Set.of("A", "a ", "a%", "aa")) {
            assertThat(mail(id)).hasSize(1);
            assertThat(deliver(signal(id, "k"))).isEqualTo(new DeliverOutcome.Duplicate(1));
        }
    }

    @Test
    default void emptyStoreIsPurgedAtOnce() {
        assertThat(store().purge(SHARD, now(), Optional.empty(), 10)).isEqualTo(new Purged(0, Optional.empty()));
        assertThat(store().purge(SHARD, now(), Optional.of(UUID.randomUUID()), 10))
                .isEqualTo(new Purged(0, Optional.empty()));
    }
}
