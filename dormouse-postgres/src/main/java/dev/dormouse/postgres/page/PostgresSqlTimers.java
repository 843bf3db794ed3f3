package dev.dormouse.postgres.page;

import dev.dormouse.inspect.SqlTimer;
import dev.dormouse.inspect.SqlTimerId;
import dev.dormouse.postgres.connect.PooledCalls;
import dev.dormouse.postgres.connect.Pools;
import dev.dormouse.postgres.sql.Params;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.page.DueCounts;
import dev.dormouse.store.page.DueEstimate;
import dev.dormouse.store.page.DuePage;
import dev.dormouse.store.page.DuePlace;
import dev.dormouse.store.timer.SqlTimerStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The SQL timers in schema {@code timers} of the same database. Reads them, and changes single rows as the owner of the
 * schema may.
 */
public final class PostgresSqlTimers implements SqlTimerStore {
    /**
     * True if the schema exists and belongs to this role or to a role that it is a member of: only then may it see the
     * timers of all roles. A superuser must not access objects that an ordinary role may have created.
     */
    private static final String IS_OURS = """
            select from pg_catalog.pg_namespace n
              join pg_catalog.pg_roles r on r.oid = n.nspowner
              join pg_catalog.pg_proc p on p.pronamespace = n.oid and p.proname = '_version'
            where n.nspname = 'timers' and pg_catalog.pg_has_role(n.nspowner, 'usage')
              and (pg_catalog.current_setting('is_superuser') = 'off' or r.rolsuper)
            """;

    private static final String GET =
            "select " + SqlTimerRows.COLUMNS + " from timers.timers t where t.shard_key = ? and t.id = ?";

    /** Reads the index of ended timers, only the latest of them, because most have not failed. */
    private static final String FAILED = "select " + SqlTimerRows.COLUMNS + """
             from (
              select e.* from timers.timers e where e.status <> 0
              order by coalesce(e.fired_at, e.created_at) desc limit 10000) t
            where t.status = 2
            order by coalesce(t.fired_at, t.created_at) desc limit ?
            """;

    /** A timer that is firing is locked by its action, or leased by its handler. */
    private static final String FREE = """
            from (
              select f.shard_key, f.id from timers.timers f
              where f.shard_key = ? and f.id = ? and f.status = 0 and f.lease is null
              for update skip locked) free
            where t.shard_key = free.shard_key and t.id = free.id
            """;

    private static final String MOVE = """
            update timers.timers t
            set fire_at = case when t.retry_at is null then %1$s else t.fire_at end,
              retry_at = case when t.retry_at is not null then %1$s end
            """.formatted(SqlTimerRows.instant("?::int8")) + FREE;

    private static final String CANCEL = "update timers.timers t set status = 3 " + FREE;

    private final DataSource connections;

    public PostgresSqlTimers(Pools pools) {
        this.connections = pools.work();
    }

    @Override
    public DuePage<SqlTimer> due(@Nullable DuePlace after, int limit) {
        return ask(new DuePage<>(List.of(), null), connection -> {
            List<DuePage<SqlTimer>> parts = new ArrayList<>();
            for (SqlTimerIndex index : SqlTimerIndex.ALL) {
                parts.add(index.page(connection, after, limit));
            }
            return DuePage.merge(parts, SqlTimerStore::place, limit);
        });
    }

    @Override
    public DueCounts dueCounts(Instant overdueBefore, List<Instant> bounds) {
        DueCounts none = NONE.dueCounts(overdueBefore, bounds);
        return ask(none, connection -> {
            DueCounts sum = none;
            for (SqlTimerIndex index : SqlTimerIndex.ALL) {
                List<String> lanes = index.lanes(connection);
                if (!lanes.isEmpty()) {
                    sum = sum.plus(estimate(connection, index, lanes).counts(overdueBefore, bounds));
                }
            }
            return sum;
        });
    }

    private static DueEstimate<SQLException> estimate(Connection connection, SqlTimerIndex index, List<String> lanes) {
        return new DueEstimate<>(lanes, (ranges, most, roughly) -> index.probe(connection, ranges, most));
    }

    @Override
    public Optional<Instant> lastDue() {
        return ask(Optional.empty(), connection -> {
            List<Instant> latest = new ArrayList<>();
            for (SqlTimerIndex index : SqlTimerIndex.ALL) {
                index.last(connection).ifPresent(latest::add);
            }
            return latest.stream().max(Comparator.naturalOrder());
        });
    }

    @Override
    public List<SqlTimer> failed(int limit) {
        return ask(List.of(), connection -> {
            List<SqlTimer> failed = new ArrayList<>();
            try (PreparedStatement statement = connection.prepareStatement(FAILED)) {
                new Params(statement).integer(limit);
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        failed.add(SqlTimerRows.read(rows, 0));
                    }
                }
            }
            return failed;
        });
    }

    @Override
    public Optional<SqlTimer> get(SqlTimerId id) {
        return ask(Optional.empty(), connection -> {
            try (PreparedStatement statement = connection.prepareStatement(GET)) {
                new Params(statement).bigint(id.shardKey()).bigint(id.id());
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? Optional.of(SqlTimerRows.read(row, 0)) : Optional.empty();
                }
            }
        });
    }

    @Override
    public boolean move(SqlTimerId id, Instant at) {
        long micros = Micros.of(at);
        return ask(false, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(MOVE)) {
                new Params(statement)
                        .bigint(micros)
                        .bigint(micros)
                        .bigint(micros)
                        .bigint(micros)
                        .bigint(id.shardKey())
                        .bigint(id.id());
                return statement.executeUpdate() == 1;
            }
        });
    }

    @Override
    public boolean cancel(SqlTimerId id) {
        return ask(false, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(CANCEL)) {
                new Params(statement).bigint(id.shardKey()).bigint(id.id());
                return statement.executeUpdate() == 1;
            }
        });
    }

    private <T> T ask(T otherwise, PooledCalls.Work<T> work) {
        return PooledCalls.call(connections, connection -> isOurs(connection) ? work.run(connection) : otherwise);
    }

    private static boolean isOurs(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(IS_OURS);
                ResultSet row = statement.executeQuery()) {
            return row.next();
        }
    }
}
