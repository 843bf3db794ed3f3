package dev.dormouse.testing.memory;

import dev.dormouse.inspect.Count;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.base.NodeRow;
import dev.dormouse.store.base.NodeState;
import dev.dormouse.store.page.DueCounts;
import dev.dormouse.store.page.DuePage;
import dev.dormouse.store.page.DuePlace;
import dev.dormouse.store.page.OverdueLane;
import dev.dormouse.store.page.PageStore;
import dev.dormouse.store.page.StatusCounts;
import dev.dormouse.store.page.Tally;
import dev.dormouse.store.run.RunKind;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The read-only queries of a {@link MemoryStore}; all counts are exact. Node states and tallies survive a failover:
 * they are not part of the transactions that it may lose. Guarded by the store's lock.
 */
final class MemoryPages implements PageStore {
    private final MemoryStore store;
    private final List<MemoryTables> shards;
    private final Map<Key, Tally> tallies = new TreeMap<>(Comparator.comparing(Key::shard)
            .thenComparing(Key::length)
            .thenComparing(Key::slot)
            .thenComparing(Key::nodeId));
    private final Map<String, NodeState> states = new HashMap<>();

    private record Key(int shard, Duration length, Instant slot, String nodeId) {}

    MemoryPages(MemoryStore store, List<MemoryTables> shards) {
        this.store = store;
        this.shards = shards;
    }

    /** Stores the state that a node reports. */
    void said(String nodeId, NodeState state) {
        states.put(nodeId, state);
    }

    NodeRow withState(NodeRow row) {
        return row.with(states.getOrDefault(row.nodeId(), row.state()));
    }

    @Override
    public DuePage<RunRow> due(int shard, Set<RunKind> kinds, @Nullable DuePlace after, int limit) {
        synchronized (store) {
            List<RunRow> rows = due(shard, kinds)
                    .filter(row -> after == null || DuePlace.of(row).compareTo(after) > 0)
                    .toList();
            return DuePage.merge(List.of(new DuePage<>(rows, null)), DuePlace::of, limit);
        }
    }

    @Override
    public DueCounts dueCounts(int shard, Set<RunKind> kinds, Instant overdueBefore, List<Instant> bounds) {
        synchronized (store) {
            List<Count> buckets = new ArrayList<>();
            for (int i = 0; i + 1 < bounds.size(); i++) {
                buckets.add(between(shard, kinds, bounds.get(i), bounds.get(i + 1)));
            }
            return new DueCounts(between(shard, kinds, Instant.MIN, overdueBefore), buckets);
        }
    }

    private Count between(int shard, Set<RunKind> kinds, Instant from, Instant to) {
        return Count.exactly(due(shard, kinds)
                .map(row -> DuePlace.of(row).at())
                .filter(at -> !at.isBefore(from) && at.isBefore(to))
                .count());
    }

    @Override
    public Optional<Instant> lastDue(int shard, Set<RunKind> kinds) {
        synchronized (store) {
            return alarms(shard, kinds).map(row -> DuePlace.of(row).at()).max(Comparator.naturalOrder());
        }
    }

    private Stream<RunRow> due(int shard, Set<RunKind> kinds) {
        return alarms(shard, kinds).filter(row -> row.wakeReason().isSet());
    }

    private Stream<RunRow> alarms(int shard, Set<RunKind> kinds) {
        return shards.get(shard).runs.rows().values().stream()
                .filter(row -> row.wakeAt() != null && kinds.contains(RunKind.ofLane(row.lane())));
    }

    @Override
    public Map<String, Count> queueDepths(int shard, Instant now) {
        synchronized (store) {
            Map<String, Count> depths = new TreeMap<>();
            due(shard, RunKind.ALL)
                    .filter(row -> !RunKind.queueOf(row.lane()).isEmpty())
                    .filter(row -> DuePlace.of(row).at().isBefore(now))
                    .forEach(row -> depths.merge(RunKind.queueOf(row.lane()), Count.exactly(1), Count::plus));
            return depths;
        }
    }

    @Override
    public List<OverdueLane> overdueLanes(int shard, Instant before) {
        synchronized (store) {
            Map<String, OverdueLane> first = new TreeMap<>();
            alarms(shard, RunKind.ALL)
                    .map(row -> new OverdueLane(row.lane(), DuePlace.of(row).at(), row.workflowId()))
                    .filter(row -> row.since().isBefore(before))
                    .forEach(row -> first.merge(
                            row.lane(), row, (one, other) -> other.since().isBefore(one.since()) ? other : one));
            return List.copyOf(first.values());
        }
    }

    @Override
    public StatusCounts census(int shard, Set<RunKind> kinds) {
        synchronized (store) {
            return new StatusCounts(
                    standing(shard, kinds, RunStatus.RUNNING),
                    standing(shard, kinds, RunStatus.PARKED),
                    standing(shard, kinds, RunStatus.WAITING, RunStatus.PENDING),
                    standing(shard, kinds, RunStatus.STUCK),
                    standing(shard, kinds, RunStatus.FAILED, RunStatus.TIMED_OUT));
        }
    }

    private Count standing(int shard, Set<RunKind> kinds, RunStatus... statuses) {
        Set<RunStatus> wanted = Set.of(statuses);
        return Count.exactly(shards.get(shard).runs.rows().values().stream()
                .filter(row -> wanted.contains(row.status()) && kinds.contains(RunKind.of(row.type())))
                .count());
    }

    @Override
    public void tally(int shard, String nodeId, NodeState state, List<Tally> news) {
        synchronized (store) {
            said(nodeId, state);
            news.forEach(tally -> tallies.put(new Key(shard, tally.length(), tally.slot(), nodeId), tally));
        }
    }

    @Override
    public List<Tally> tallies(int shard, Duration length, Instant from, Instant to) {
        synchronized (store) {
            return tallies.entrySet().stream()
                    .filter(entry -> entry.getKey().shard() == shard)
                    .map(Map.Entry::getValue)
                    .filter(tally -> tally.length().equals(length))
                    .filter(tally ->
                            !tally.slot().isBefore(from) && tally.slot().isBefore(to))
                    .toList();
        }
    }

    @Override
    public int forgetTallies(int shard, Duration length, Instant before) {
        synchronized (store) {
            int all = tallies.size();
            tallies.keySet()
                    .removeIf(key -> key.shard() == shard
                            && key.length().equals(length)
                            && key.slot().isBefore(before));
            return all - tallies.size();
        }
    }
}
