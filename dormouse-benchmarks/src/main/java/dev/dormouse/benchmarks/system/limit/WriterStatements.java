package dev.dormouse.benchmarks.system.limit;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;

/**
 * The statements of one writer, prepared once on two connections, because they need different plans. They fence and lock
 * like the engine's statements and have the same columns, except those that only an engine needs.
 */
final class WriterStatements implements AutoCloseable {
    // as long as the payloads that Dormouse writes for these workflows
    private static final byte[] STARTED = payload(52);
    private static final byte[] STEPPED = payload(36);
    private static final byte[] ENDED = payload(77);

    private static final String START = """
            with b as materialized (
              select 0 as shard, (extract(epoch from statement_timestamp()) * 1000000)::int8 as now, b.*
              from unnest(?::uuid[], ?::text[], ?::int8[], ?::bytea[]) as b(run_id, workflow_id, lease, payload)
              order by workflow_id),
            ins as (
              insert into dormouse.run (shard, run_id, workflow_id, type, lane, owner, status, lease, wake_at,
                  wake_reason, refused, trouble, known_seq, checksum, current, created_at, inline_history)
              select shard, run_id, workflow_id, 'steps', 'steps', 'node', 1, lease, now + 15000000,
                  0, '', '', 1, 0, true, now, int8send(now) || payload
              from b
              on conflict do nothing
              returning 1)
            select count(*) from ins
            """;

    private static final String STEP = """
            with i as (
              insert into dormouse.history (shard, run_id, seq, events, at, checksum, payload)
              select 0, run_id, seq, 1, (extract(epoch from statement_timestamp()) * 1000000)::int8, 0, payload
              from unnest(?::uuid[], ?::int4[], ?::bytea[]) as b(run_id, seq, payload)
              order by run_id
              on conflict do nothing
              returning 1)
            select count(*) from i
            """;

    private static final String END = """
            with b as materialized (
              select 0 as shard, (extract(epoch from statement_timestamp()) * 1000000)::int8 as now, b.*
              from unnest(?::uuid[], ?::int4[], ?::bytea[], ?::int8[]) as b(run_id, seq, payload, lease)
              order by run_id),
            l as materialized (
              select b.*, locked.ctid as tid
              from b cross join lateral (
                select r.ctid
                from dormouse.run r
                where r.shard = b.shard and r.run_id = b.run_id
                  and r.lease = b.lease and r.known_seq <= b.seq and r.status < 10
                for no key update skip locked) locked),
            u as (
              update dormouse.run r
              set status = 10, lease = 0, owner = '', wake_at = null, known_seq = l.seq + 1, closed_at = l.now,
                  inline_history = r.inline_history || int8send(l.now) || l.payload
              from l
              where r.ctid = l.tid and r.shard = l.shard and r.run_id = l.run_id
              returning 1)
            select count(*) from u
            """;

    private final Connection starting;
    private final Connection committing;
    private final PreparedStatement start;
    private final PreparedStatement step;
    private final PreparedStatement end;

    private WriterStatements(Connection starting, Connection committing) throws SQLException {
        this.starting = starting;
        this.committing = committing;
        this.start = starting.prepareStatement(START);
        this.step = committing.prepareStatement(STEP);
        this.end = committing.prepareStatement(END);
    }

    static WriterStatements open(String url) throws SQLException {
        String generic = "set plan_cache_mode = force_generic_plan; set jit = off; ";
        return new WriterStatements(
                connect(url, generic + "set enable_nestloop = off"),
                connect(
                        url,
                        generic + "set enable_hashjoin = off; set enable_mergejoin = off; set enable_seqscan = off; "
                                + "set enable_bitmapscan = off"));
    }

    private static Connection connect(String url, String settings) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        try (Statement statement = connection.createStatement()) {
            statement.execute(settings);
        }
        return connection;
    }

    private static byte[] payload(int bytes) {
        return "x".repeat(bytes).getBytes(StandardCharsets.US_ASCII);
    }

    void start(List<LimitWorkflows.Start> batch) throws SQLException {
        if (batch.isEmpty()) {
            return;
        }
        uuids(start, batch.stream().map(LimitWorkflows.Start::run).toArray());
        array(start, 2, batch.stream().map(LimitWorkflows.Start::workflowId).toArray(String[]::new));
        array(start, 3, batch.stream().mapToLong(LimitWorkflows.Start::lease).toArray());
        array(start, 4, batch.stream().map(entry -> STARTED).toArray(byte[][]::new));
        write(start, batch.size());
    }

    void commit(List<LimitWorkflows.Commit> batch) throws SQLException {
        write(step, batch.stream().filter(entry -> !entry.isLast()).toList(), STEPPED);
        List<LimitWorkflows.Commit> last =
                batch.stream().filter(LimitWorkflows.Commit::isLast).toList();
        array(end, 4, last.stream().mapToLong(LimitWorkflows.Commit::lease).toArray());
        write(end, last, ENDED);
    }

    private static void write(PreparedStatement statement, List<LimitWorkflows.Commit> batch, byte[] payload)
            throws SQLException {
        if (batch.isEmpty()) {
            return;
        }
        uuids(statement, batch.stream().map(LimitWorkflows.Commit::run).toArray());
        array(
                statement,
                2,
                batch.stream().mapToInt(LimitWorkflows.Commit::sequence).toArray());
        array(statement, 3, batch.stream().map(entry -> payload).toArray(byte[][]::new));
        write(statement, batch.size());
    }

    private static void uuids(PreparedStatement statement, Object[] values) throws SQLException {
        statement.setArray(1, statement.getConnection().createArrayOf("uuid", values));
    }

    private static void array(PreparedStatement statement, int place, Object values) throws SQLException {
        statement.setObject(place, values, Types.ARRAY);
    }

    private static void write(PreparedStatement statement, int entries) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            rows.next();
            if (rows.getInt(1) != entries) {
                throw new SQLException("Expected " + entries + " rows to be written, but " + rows.getInt(1) + " were.");
            }
        }
    }

    @Override
    public void close() {
        for (Connection connection : List.of(starting, committing)) {
            try {
                connection.close();
            } catch (SQLException gone) {
                // expected
            }
        }
    }
}
