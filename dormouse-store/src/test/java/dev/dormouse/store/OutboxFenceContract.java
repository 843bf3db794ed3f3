package dev.dormouse.store;

import static dev.dormouse.store.Samples.LEASE;
import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.newId;
import static dev.dormouse.store.Samples.outgoing;
import static dev.dormouse.store.Samples.pending;
import static dev.dormouse.store.Samples.replacing;
import static dev.dormouse.store.Samples.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.OutboxFence;
import dev.dormouse.store.run.OutboxPage;
import dev.dormouse.store.run.Outgoing;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Outbox items are read page by page. They are applied only in the same epoch and for a limited time after they were
 * read.
 */
interface OutboxFenceContract extends ContractWords {

    private OutboxFence current(Duration validity) {
        OutboxPage page = store().outbox(SHARD, Optional.empty(), 1);
        return new OutboxFence(page.epoch(), page.now().plus(validity));
    }

    private static Delivery under(Delivery delivery, OutboxFence fence) {
        return new Delivery(delivery.workflowId(), delivery.key(), delivery.kind(), delivery.payload(), fence);
    }

    private OutboxFence elsewhere() {
        return new OutboxFence("another store", Micros.MAX);
    }

    private OutboxFence expired() {
        OutboxFence fence = current(Duration.ZERO);
        tick();
        return fence;
    }

    @Test
    default void pageHasTheEpochAndTheClockEvenOfAnEmptyOutbox() {
        Instant before = now();
        OutboxPage page = store().outbox(SHARD, Optional.empty(), 10);
        assertThat(page.items()).isEmpty();
        assertThat(page.next()).isNull();
        assertThat(page.epoch())
                .isEqualTo(store().sweep(SHARD, Samples.sweep(1)).epoch());
        assertThat(page.now()).isBetween(before, now());
    }

    @Test
    default void pagesFollowEachOtherToTheEnd() {
        List<UUID> sent = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Outgoing[] items = {outgoing("to-" + i), outgoing("to-" + i), outgoing("to-" + i)};
            committed(Held.sending(held("wf-" + i).step(), items));
            List.of(items).forEach(item -> sent.add(item.id()));
        }
        List<UUID> read = new ArrayList<>();
        Optional<String> page = Optional.empty();
        do {
            OutboxPage part = store().outbox(SHARD, page, 4);
            part.items().forEach(item -> read.add(item.id()));
            page = Optional.ofNullable(part.next());
        } while (page.isPresent());
        assertThat(read).isEqualTo(sent);
    }

    @Test
    default void nextPageIsFoundAfterItemsBeforeItAreGone() {
        Outgoing[] items = {outgoing("a"), outgoing("b"), outgoing("c"), outgoing("d")};
        committed(Held.sending(held("wf").step(), items));
        OutboxPage first = store().outbox(SHARD, Optional.empty(), 2);
        store().forwarded(SHARD, List.of(items[0].id(), items[1].id()));
        assertThat(store().outbox(SHARD, Optional.ofNullable(first.next()), 10).items())
                .extracting(Outgoing::id)
                .containsExactly(items[2].id(), items[3].id());
    }

    @Test
    default void oneItemIsFoundByItsId() {
        Outgoing item = outgoing("a");
        committed(Held.sending(held("wf").step(), outgoing("b"), item, outgoing("c")));
        assertThat(store().outgoing(SHARD, item.id()).items())
                .extracting(Outgoing::id)
                .containsExactly(item.id());
        assertThat(store().outgoing(SHARD, newId()).items()).isEmpty();
        assertThat(store().outgoing(SHARD, newId()).epoch())
                .isEqualTo(store().outbox(SHARD, Optional.empty(), 1).epoch());
    }

    @Test
    default void startUnderTheStoresEpochIsApplied() {
        assertThat(start(pending("a").under(current(LEASE)))).isInstanceOf(StartOutcome.Started.class);
    }

    @Test
    default void startOfAnotherEpochIsFencedWhateverIsThere() {
        Start start = pending("a").under(elsewhere());
        assertThat(start(start)).isInstanceOf(StartOutcome.Fenced.class);
        assertThat(store().run(SHARD, start.runId())).isEmpty();
        held("b");
        assertThat(start(pending("b").under(elsewhere()))).isInstanceOf(StartOutcome.Fenced.class);
        Held continued = closed("c", RunStatus.CONTINUED);
        assertThat(start(replacing(pending("c"), RunStatus.CONTINUED).under(elsewhere())))
                .isInstanceOf(StartOutcome.Fenced.class);
        assertThat(store().current(SHARD, "c").orElseThrow().runId()).isEqualTo(continued.runId());
        started(start.under(OutboxFence.NONE));
        assertThat(start(start)).isInstanceOf(StartOutcome.Fenced.class);
    }

    @Test
    default void startThatComesTooLateIsFenced() {
        assertThat(start(pending("a").under(expired()))).isInstanceOf(StartOutcome.Fenced.class);
        assertThat(store().current(SHARD, "a")).isEmpty();
    }

    @Test
    default void fencedStartDoesNotHoldUpOthersOfItsBatch() {
        List<StartOutcome> outcomes = store().start(
                        SHARD,
                        List.of(
                                pending("a"),
                                pending("b").under(elsewhere()),
                                pending("c").under(current(LEASE))));
        assertThat(outcomes.get(0)).isInstanceOf(StartOutcome.Started.class);
        assertThat(outcomes.get(1)).isInstanceOf(StartOutcome.Fenced.class);
        assertThat(outcomes.get(2)).isInstanceOf(StartOutcome.Started.class);
    }

    @Test
    default void deliveryOfAnotherEpochOrTooLateIsFenced() {
        Held held = held("a");
        assertThat(deliver(under(signal("a", "k"), elsewhere()))).isInstanceOf(DeliverOutcome.Fenced.class);
        assertThat(deliver(under(signal("a", "k"), expired()))).isInstanceOf(DeliverOutcome.Fenced.class);
        assertThat(deliver(under(signal("none", "k"), elsewhere()))).isInstanceOf(DeliverOutcome.Fenced.class);
        assertThat(row(held.runId()).mail()).isZero();
        assertThat(deliver(under(signal("a", "k"), current(LEASE)))).isInstanceOf(DeliverOutcome.Accepted.class);
        assertThat(deliver(under(signal("a", "k"), elsewhere()))).isInstanceOf(DeliverOutcome.Fenced.class);
    }

    @Test
    default void itemsAreRemovedOnlyInTheEpochInWhichTheyWereMoved() {
        Outgoing item = outgoing("a");
        committed(Held.sending(held("wf").step(), item));
        store().forwarded(SHARD, "another store", List.of(item.id()));
        assertThat(store().outbox(SHARD, 10)).hasSize(1);
        store().forwarded(SHARD, current(LEASE).epoch(), List.of(item.id()));
        assertThat(store().outbox(SHARD, 10)).isEmpty();
    }

    @Test
    default void twentyThousandItemsOfOneCommitAreStored() {
        Outgoing[] items = new Outgoing[20_000];
        for (int i = 0; i < items.length; i++) {
            items[i] = outgoing("to-" + i);
        }
        long begun = System.nanoTime();
        committed(Held.sending(held("wf").step(), items));
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
        assertThat(store().outbox(SHARD, 100_000)).hasSize(items.length);
    }
}
