package dev.dormouse.postgres.page;

import dev.dormouse.inspect.Count;
import dev.dormouse.postgres.connect.PooledCalls;
import dev.dormouse.postgres.connect.Pools;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.base.NodeState;
import dev.dormouse.store.page.DueCounts;
import dev.dormouse.store.page.DueEstimate;
import dev.dormouse.store.page.DuePage;
import dev.dormouse.store.page.DuePlace;
import dev.dormouse.store.page.OverdueLane;
import dev.dormouse.store.page.PageStore;
import dev.dormouse.store.page.QueueDepths;
import dev.dormouse.store.page.StatusCounts;
import dev.dormouse.store.page.Tally;
import dev.dormouse.store.run.RunKind;
import dev.dormouse.store.run.RunRow;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Read-only queries for dashboards and metrics. Each query runs a few statements: which lanes there are, and what they
 * contain.
 */
public final class PostgresPages implements PageStore {
    private final DataSource connections;
    private final int shards;
    private final DueStatements due;
    private final CensusStatements census;
    private final TallyStatements tallies;

    public PostgresPages(Pools pools, Schema schema, int shards) {
        this.connections = pools.work();
        this.shards = shards;
        this.due = new DueStatements(schema);
        this.census = new CensusStatements(schema);
        this.tallies = new TallyStatements(schema);
    }

    @Override
    public DuePage<RunRow> due(int shard, Set<RunKind> kinds, @Nullable DuePlace after, int limit) {
        return ask(connection -> due.page(connection, shard, due.lanes(connection, shard, kinds), after, limit));
    }

    @Override
    public DueCounts dueCounts(int shard, Set<RunKind> kinds, Instant overdueBefore, List<Instant> bounds) {
        return ask(connection -> new DueEstimate<SQLException>(
                        due.lanes(connection, shard, kinds),
                        (ranges, most, roughly) -> due.probe(connection, shard, ranges, most, roughly))
                .counts(overdueBefore, bounds));
    }

    @Override
    public Optional<Instant> lastDue(int shard, Set<RunKind> kinds) {
        return ask(connection -> due.last(connection, shard, due.lanes(connection, shard, kinds)));
    }

    @Override
    public Map<String, Count> queueDepths(int shard, Instant now) {
        return ask(connection -> QueueDepths.<SQLException>of(
                due.lanes(connection, shard, RunKind.ALL),
                now,
                (ranges, most, roughly) -> due.probe(connection, shard, ranges, most, roughly)));
    }

    @Override
    public List<OverdueLane> overdueLanes(int shard, Instant before) {
        return ask(connection -> due.overdue(connection, shard, before));
    }

    @Override
    public StatusCounts census(int shard, Set<RunKind> kinds) {
        return ask(connection -> census.take(connection, shard, shards, kinds, due.lanes(connection, shard, kinds)));
    }

    @Override
    public void tally(int shard, String nodeId, NodeState state, List<Tally> news) {
        ask(connection -> {
            tallies.keep(connection, shard, nodeId, state, news);
            return true;
        });
    }

    @Override
    public List<Tally> tallies(int shard, Duration length, Instant from, Instant to) {
        return ask(connection -> tallies.read(connection, shard, length, from, to));
    }

    @Override
    public int forgetTallies(int shard, Duration length, Instant before) {
        return ask(connection -> tallies.forget(connection, shard, length, before));
    }

    private <T> T ask(PooledCalls.Work<T> work) {
        return PooledCalls.call(connections, work);
    }
}
