package dev.dormouse.store;

import static dev.dormouse.store.Samples.NODE;
import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.sweep;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.base.NodeRow;
import dev.dormouse.store.base.NodeState;
import dev.dormouse.store.page.Lateness;
import dev.dormouse.store.page.Tally;
import dev.dormouse.store.page.TallyCounts;
import dev.dormouse.store.run.Sweep;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The counters and states that nodes report are kept as last reported. */
interface TallyContract extends ContractWords {
    Duration SHORT = Duration.ofSeconds(10);
    Duration LONG = Duration.ofMinutes(5);
    Instant SLOT = Instant.parse("2030-01-01T00:00:00Z");
    NodeState STATE = new NodeState("app:7", 3, 2, 64, Duration.ofSeconds(15), 5);

    private static Tally tally(String node, Instant slot, Duration length, long number) {
        List<Long> lateness = LongStream.range(0, Lateness.BUCKETS)
                .map(i -> number * i)
                .boxed()
                .toList();
        return new Tally(
                node,
                slot,
                length,
                new TallyCounts(
                        number, number + 1, number + 2, number + 3, number + 4, number + 5, number + 6, lateness));
    }

    private List<Tally> all(Duration length) {
        return peer().pages().tallies(SHARD, length, SLOT, SLOT.plus(Duration.ofDays(1)));
    }

    @Test
    default void lastReportedTalliesAreKept() {
        Tally first = tally("n1", SLOT, SHORT, 1);
        Tally longer = tally("n1", SLOT, LONG, 1);
        store().pages().tally(SHARD, "n1", STATE, List.of(first, longer));
        store().pages().tally(SHARD, "n1", STATE, List.of(first, longer));
        assertThat(all(SHORT)).containsExactly(first);
        assertThat(all(LONG)).containsExactly(longer);
        Tally more = tally("n1", SLOT, SHORT, Long.MAX_VALUE / 100);
        Tally next = tally("n1", SLOT.plus(SHORT), SHORT, 3);
        store().pages().tally(SHARD, "n1", STATE, List.of(more, next));
        assertThat(all(SHORT)).containsExactly(more, next);
        assertThat(all(LONG)).containsExactly(longer);
    }

    @Test
    default void nodesDoNotTouchEachOthersTallies() {
        Tally other = tally("n2", SLOT, SHORT, 2);
        Tally one = tally("n1", SLOT, SHORT, 1);
        store().pages().tally(SHARD, "n2", STATE, List.of(other));
        store().pages().tally(SHARD, "n1", STATE, List.of(one));
        assertThat(all(SHORT)).containsExactly(one, other);
    }

    @Test
    default void talliesOfASpanAreInOrderOfTheirSlots() {
        List<Tally> tallies = LongStream.range(0, 20)
                .mapToObj(i -> tally("n1", SLOT.plus(SHORT.multipliedBy(i * 7 % 20)), SHORT, i))
                .toList();
        store().pages().tally(SHARD, "n1", STATE, tallies);
        List<Tally> found = peer().pages().tallies(SHARD, SHORT, SLOT.plus(SHORT), SLOT.plus(SHORT.multipliedBy(19)));
        assertThat(found).hasSize(18).isSubsetOf(tallies);
        assertThat(found).extracting(Tally::slot).isSorted();
    }

    @Test
    default void oldTalliesAreForgottenByLength() {
        Tally old = tally("n1", SLOT, SHORT, 1);
        Tally young = tally("n2", SLOT.plus(SHORT), SHORT, 1);
        Tally longer = tally("n1", SLOT, LONG, 1);
        store().pages().tally(SHARD, "n1", STATE, List.of(old, longer));
        store().pages().tally(SHARD, "n2", STATE, List.of(young));
        assertThat(store().pages().forgetTallies(SHARD, SHORT, SLOT.plus(SHORT)))
                .isEqualTo(1);
        assertThat(all(SHORT)).containsExactly(young);
        assertThat(all(LONG)).containsExactly(longer);
        assertThat(store().pages().forgetTallies(SHARD, SHORT, SLOT)).isZero();
    }

    @Test
    default void lastReportedNodeStateIsKept() {
        store().pages().tally(SHARD, NODE, STATE, List.of(tally(NODE, SLOT, SHORT, 1)));
        assertThat(store().nodes(SHARD)).isEmpty();
        store().sweep(SHARD, sweep(1));
        assertThat(store().nodes(SHARD)).extracting(NodeRow::state).containsExactly(NodeState.UNKNOWN);
        store().pages().tally(SHARD, NODE, STATE, List.of());
        assertThat(store().nodes(SHARD)).extracting(NodeRow::state).containsExactly(STATE);
        NodeState other = new NodeState("app:7", 0, 0, 64, Duration.ofSeconds(15), 6);
        Sweep sweep = sweep(1);
        store().sweep(SHARD, new Sweep(sweep.nodeId(), sweep.build(), sweep.lanes(), List.of(), sweep.alarms(), other));
        assertThat(store().nodes(SHARD)).extracting(NodeRow::state).containsExactly(other);
    }
}
