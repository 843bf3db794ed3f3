package dev.dormouse.testing.sim;

import dev.dormouse.inspect.Count;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The read-only queries of a {@link FaultyStore}. */
record FaultyPages(FaultyStore faulty) implements PageStore {

    @Override
    public DuePage<RunRow> due(int shard, Set<RunKind> kinds, @Nullable DuePlace after, int limit) {
        return faulty.ask("due", store -> store.pages().due(shard, kinds, after, limit));
    }

    @Override
    public DueCounts dueCounts(int shard, Set<RunKind> kinds, Instant overdueBefore, List<Instant> bounds) {
        return faulty.ask("due counts", store -> store.pages().dueCounts(shard, kinds, overdueBefore, bounds));
    }

    @Override
    public Optional<Instant> lastDue(int shard, Set<RunKind> kinds) {
        return faulty.ask("last due", store -> store.pages().lastDue(shard, kinds));
    }

    @Override
    public Map<String, Count> queueDepths(int shard, Instant now) {
        return faulty.ask("queue depths", store -> store.pages().queueDepths(shard, now));
    }

    @Override
    public List<OverdueLane> overdueLanes(int shard, Instant before) {
        return faulty.ask("overdue lanes", store -> store.pages().overdueLanes(shard, before));
    }

    @Override
    public StatusCounts census(int shard, Set<RunKind> kinds) {
        return faulty.ask("census", store -> store.pages().census(shard, kinds));
    }

    @Override
    public void tally(int shard, String nodeId, NodeState state, List<Tally> tallies) {
        List<Tally> copy = List.copyOf(tallies);
        faulty.ask("tally " + copy.size(), store -> {
            store.pages().tally(shard, nodeId, state, copy);
            return true;
        });
    }

    @Override
    public List<Tally> tallies(int shard, Duration length, Instant from, Instant to) {
        return faulty.ask("tallies", store -> store.pages().tallies(shard, length, from, to));
    }

    @Override
    public int forgetTallies(int shard, Duration length, Instant before) {
        return faulty.ask("forget tallies", store -> store.pages().forgetTallies(shard, length, before));
    }
}
