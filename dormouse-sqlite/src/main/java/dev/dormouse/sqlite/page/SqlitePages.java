package dev.dormouse.sqlite.page;

import dev.dormouse.inspect.Count;
import dev.dormouse.sqlite.claim.NodeRegistry;
import dev.dormouse.sqlite.connect.ReadAccess;
import dev.dormouse.sqlite.connect.WriteConnection;
import dev.dormouse.sqlite.sql.SqlErrors;
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
import org.jspecify.annotations.Nullable;

/**
 * Read-only queries for dashboards and metrics. The states that nodes report stay in memory, like the nodes; tallies
 * are stored.
 */
public record SqlitePages(String name, WriteConnection writer, ReadAccess readers, NodeRegistry nodes)
        implements PageStore {

    @Override
    public DuePage<RunRow> due(int shard, Set<RunKind> kinds, @Nullable DuePlace after, int limit) {
        return read(session -> new DueStatements(session, shard).page(kinds, after, limit));
    }

    @Override
    public DueCounts dueCounts(int shard, Set<RunKind> kinds, Instant overdueBefore, List<Instant> bounds) {
        return read(session -> {
            DueStatements due = new DueStatements(session, shard);
            return new DueEstimate<SQLException>(due.lanes(kinds), due::probe).counts(overdueBefore, bounds);
        });
    }

    @Override
    public Optional<Instant> lastDue(int shard, Set<RunKind> kinds) {
        return read(session -> new DueStatements(session, shard).last(kinds));
    }

    @Override
    public Map<String, Count> queueDepths(int shard, Instant now) {
        return read(session -> {
            DueStatements due = new DueStatements(session, shard);
            return QueueDepths.<SQLException>of(due.lanes(RunKind.ALL), now, due::probe);
        });
    }

    @Override
    public List<OverdueLane> overdueLanes(int shard, Instant before) {
        return read(session -> new DueStatements(session, shard).overdue(before));
    }

    @Override
    public StatusCounts census(int shard, Set<RunKind> kinds) {
        return read(session -> new CensusStatements(session, shard, kinds).take());
    }

    @Override
    public void tally(int shard, String nodeId, NodeState state, List<Tally> tallies) {
        nodes.said(shard, nodeId, state);
        if (!tallies.isEmpty()) {
            write(shard, tx -> {
                for (Tally tally : tallies) {
                    TallyStatements.keep(tx, nodeId, tally);
                }
                return true;
            });
        }
    }

    @Override
    public List<Tally> tallies(int shard, Duration length, Instant from, Instant to) {
        return read(session -> TallyStatements.read(session, shard, length, from, to));
    }

    @Override
    public int forgetTallies(int shard, Duration length, Instant before) {
        return write(shard, tx -> TallyStatements.forget(tx, length, before));
    }

    private <T> T write(int shard, WriteConnection.Work<T> work) {
        try {
            return writer.write(shard, work);
        } catch (SQLException e) {
            throw SqlErrors.of(name, e);
        }
    }

    private <T> T read(ReadAccess.Work<T> work) {
        try {
            return readers.read(work);
        } catch (SQLException e) {
            throw SqlErrors.of(name, e);
        }
    }
}
