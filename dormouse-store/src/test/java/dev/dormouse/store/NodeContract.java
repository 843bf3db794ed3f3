package dev.dormouse.store;

import static dev.dormouse.store.Samples.BUILD;
import static dev.dormouse.store.Samples.FAR;
import static dev.dormouse.store.Samples.LANE;
import static dev.dormouse.store.Samples.NODE;
import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.inLane;
import static dev.dormouse.store.Samples.newId;
import static dev.dormouse.store.Samples.outgoing;
import static dev.dormouse.store.Samples.pending;
import static dev.dormouse.store.Samples.sweep;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.base.NodeRow;
import dev.dormouse.store.base.Notice;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Outgoing;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Sweep;
import dev.dormouse.store.run.Swept;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Nodes see the alarms and each other. */
interface NodeContract extends ContractWords {

    @Test
    default void sweepOfAnEmptyStoreSeesNothing() {
        Instant before = now();
        Swept swept = store().sweep(SHARD, sweep(10));
        assertThat(swept.now()).isBetween(before, now());
        assertThat(swept.upSince()).isBeforeOrEqualTo(swept.now());
        assertThat(swept.alarms()).isEmpty();
        assertThat(swept.overdue()).isFalse();
        assertThat(swept.outbox()).isFalse();
        assertThat(swept.epoch())
                .isNotEmpty()
                .isEqualTo(store().sweep(SHARD, sweep(10)).epoch());
    }

    @Test
    default void sweepSeesTheNearestAlarmsOfItsLanes() {
        started(inLane(pending("elsewhere"), "elsewhere"));
        started(pending("none", Alarm.NONE));
        UUID far = started(pending("far", new Alarm.In(FAR)));
        Held leased = held("leased");
        closed("closed", RunStatus.COMPLETED);
        Swept swept = store().sweep(SHARD, sweep(10));
        assertThat(swept.alarms()).containsExactly(row(leased.runId()).wakeAt(), row(far).wakeAt());
        assertThat(swept.overdue()).isFalse();
    }

    @Test
    default void sweepReportsOverdueAlarmsAndReadsAheadPastThem() {
        started(pending("overdue"));
        started(inLane(pending("elsewhere"), "elsewhere"));
        UUID far = started(pending("far", new Alarm.In(FAR)));
        tick();
        Swept swept = store().sweep(SHARD, sweep(1));
        assertThat(swept.overdue()).isTrue();
        assertThat(swept.alarms()).containsExactly(row(far).wakeAt());
        assertThat(store().sweep(SHARD, new Sweep(NODE, BUILD, List.of("b"), 1)).overdue())
                .isFalse();
    }

    @Test
    default void sweepReadsAtMostTheRequestedNumberOfAlarmsAhead() {
        Instant base = now().plus(FAR);
        for (int i = 19; i >= 0; i--) {
            started(inLane(pending("wf-" + i, new Alarm.At(base.plusSeconds(i))), i % 2 == 0 ? LANE : "b"));
        }
        Sweep sweep = new Sweep(NODE, BUILD, List.of("b", LANE), 3);
        assertThat(store().sweep(SHARD, sweep).alarms())
                .containsExactly(base, base.plusSeconds(1), base.plusSeconds(2));
        assertThat(store().sweep(SHARD, sweep(0)).alarms()).isEmpty();
        assertThat(store().sweep(SHARD, new Sweep(NODE, BUILD, List.of(), 10)).alarms())
                .isEmpty();
    }

    @Test
    default void sweepTakesNothing() {
        UUID runId = started(pending("a"));
        RunRow before = row(runId);
        store().sweep(SHARD, sweep(10));
        assertThat(row(runId)).isEqualTo(before);
    }

    @Test
    default void sweepReportsWhetherTheOutboxIsEmpty() {
        Held held = held("a");
        committed(Held.sending(held.step(), outgoing("b")));
        assertThat(store().sweep(SHARD, sweep(10)).outbox()).isTrue();
        store().forwarded(
                        SHARD,
                        store().outbox(SHARD, 10).stream().map(Outgoing::id).toList());
        assertThat(store().sweep(SHARD, sweep(10)).outbox()).isFalse();
    }

    @Test
    default void nodeIsKnownFromItsFirstSweepUntilItLeaves() {
        List<String> lanes = List.of("a,b", "it's", "ü~", "", "\"q\" {x}");
        Instant first =
                store().sweep(SHARD, new Sweep("n1", "b1", List.of("a"), 1)).now();
        tick();
        Instant second = store().sweep(SHARD, new Sweep("n1", "b2", lanes, 1)).now();
        Instant other =
                store().sweep(SHARD, new Sweep("n2", "b1", List.of(), 1)).now();
        assertThat(store().nodes(SHARD))
                .containsExactlyInAnyOrder(
                        new NodeRow("n1", "b2", lanes, first, second),
                        new NodeRow("n2", "b1", List.of(), other, other));
        store().leave(SHARD, "n1");
        store().leave(SHARD, "n1");
        store().leave(SHARD, "unknown");
        assertThat(store().nodes(SHARD)).extracting(NodeRow::nodeId).containsExactly("n2");
    }

    @Test
    default void noticesReachTheOtherNodesUnlessThereCanBeNone() throws Exception {
        LinkedBlockingQueue<Notice> heard = new LinkedBlockingQueue<>();
        List<Notice> told = List.of(
                new Notice.AlarmSet(SHARD, "ü~ 'it', \"x\"", Instant.parse("9999-12-31T23:59:59.999999Z")),
                new Notice.MailArrived("node,1", newId()),
                new Notice.LeaseLost("node 'ö'", newId()),
                new Notice.Watched(newId()),
                new Notice.Closed(newId()),
                new Notice.Asked(SHARD, "ü~ 'it', \"x\""),
                new Notice.Replied(newId()));
        List<Notice> arrived = new ArrayList<>();
        try (AutoCloseable listening = peer().listen(heard::add, () -> {})) {
            store().notify(told);
            for (int i = 0; i < told.size() && !store().isExclusive(); i++) {
                arrived.add(heard.poll(20, TimeUnit.SECONDS));
            }
            assertThat(listening).isNotNull();
        }
        assertThat(arrived).containsExactlyInAnyOrderElementsOf(store().isExclusive() ? List.of() : told);
    }

    @Test
    default void failingListenerDoesNotAffectTheNotifier() throws Exception {
        AutoCloseable listening = peer().listen(
                        notice -> {
                            throw new IllegalStateException("listener");
                        },
                        () -> {});
        store().notify(List.of(new Notice.Closed(newId())));
        listening.close();
        listening.close();
        store().notify(List.of(new Notice.Closed(newId())));
    }
}
