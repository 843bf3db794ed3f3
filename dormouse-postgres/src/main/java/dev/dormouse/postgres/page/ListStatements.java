package dev.dormouse.postgres.page;

import dev.dormouse.postgres.run.StartStatement;
import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.page.RunPage;
import dev.dormouse.store.run.RunKind;
import dev.dormouse.store.run.RunRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Lists of runs, page by page. A page reads a bounded number of rows along an index and selects the matching ones: a
 * filter that matches nothing costs many small pages and never one long scan. A list by workflow id merges two indexes:
 * one of the current runs, one of the replaced runs.
 */
public final class ListStatements {
    private static final String MATCHED = """
            matched as (
              select r.* from looked r
              where (?::text is null or r.type = ?) and (?::int4 = 0 or (?::int4 >> r.status) & 1 = 1)
                and (not ?::bool or strpos('%4$s', left(r.type, 1)) = 0)
              order by %1$s limit ?)
            select (select count(*) from looked), last.run_id, last.workflow_id, r.run_id is not null, %2$s
            from (select 1) one
              left join (select * from looked order by %3$s limit 1) last on true
              left join matched r on true
            order by %1$s
            """;

    private final String newestFirst;
    private final String troubled;
    private final String byWorkflowId;

    public ListStatements(Schema schema) {
        this.newestFirst = schema.sql("""
                with looked as materialized (
                  select r.* from ${schema}.run r
                  where r.shard = ? and r.run_id <= ? and (? or r.run_id < ?)
                  order by r.run_id desc limit ?),
                """ + matched("r.run_id desc", "run_id"));
        this.troubled = schema.sql("""
                with looked as materialized (
                  select r.*
                  from (select ?::int as shard, status from unnest(array[4, 11, 13]::int2[]) status
                        where (?::int4 >> status) & 1 = 1) s
                    cross join lateral (
                      select r.* from ${schema}.run r
                      where r.shard = s.shard and r.status = s.status and r.status in (4, 11, 13)
                        and r.run_id <= ? and (? or r.run_id < ?)
                      order by r.run_id desc limit ?) r
                  order by r.run_id desc limit ?),
                """ + matched("r.run_id desc", "run_id"));
        this.byWorkflowId =
                schema.sql("""
                with looked as materialized (
                  (%1$s and r.current order by r.workflow_id, r.run_id desc limit ?)
                  union all
                  (%1$s and not r.current order by r.workflow_id, r.run_id desc limit ?)
                  order by workflow_id, run_id desc limit ?),
                """.formatted("""
                                        select r.* from ${schema}.run r
                                        where r.shard = ? and r.workflow_id >= ? and r.workflow_id < ?
                                          and (? or r.workflow_id > ? or r.run_id < ?)\
                                        """) + matched("r.workflow_id, r.run_id desc", "workflow_id desc, run_id"));
    }

    private static String matched(String order, String reversed) {
        return MATCHED.formatted(order, RunRows.COLUMNS, reversed, RunKind.MARKS);
    }

    public RunPage run(Connection connection, int shard, RunFilter filter, Optional<String> page, int limit)
            throws SQLException {
        String prefix = filter.workflowIdPrefix();
        int looks = 10 * limit + 1000;
        try (PreparedStatement statement = connection.prepareStatement(sql(filter))) {
            Params params = new Params(statement);
            RunListCursor after =
                    page.map(RunListCursor::parse).orElse(RunListCursor.before(prefix == null ? "" : prefix));
            if (filter.isForTroubled()) {
                params.integer(shard)
                        .integer(StartStatement.mask(filter.statuses()))
                        .uuid(after.runId())
                        .bool(after.inclusive())
                        .uuid(after.runId())
                        .integer(looks)
                        .integer(looks);
            } else if (prefix == null) {
                params.integer(shard)
                        .uuid(after.runId())
                        .bool(after.inclusive())
                        .uuid(after.runId())
                        .integer(looks);
            } else {
                bindRange(params, shard, prefix, after).integer(looks);
                bindRange(params, shard, prefix, after).integer(looks).integer(looks);
            }
            bindFilter(params, filter, limit);
            try (ResultSet rows = statement.executeQuery()) {
                return read(rows, limit, looks);
            }
        }
    }

    private String sql(RunFilter filter) {
        if (filter.isForTroubled()) {
            return troubled;
        }
        return filter.workflowIdPrefix() == null ? newestFirst : byWorkflowId;
    }

    private static Params bindRange(Params params, int shard, String prefix, RunListCursor after) throws SQLException {
        return params.integer(shard)
                .text(after.workflowId())
                .text(PrefixRange.end(prefix))
                .bool(after.inclusive())
                .text(after.workflowId())
                .uuid(after.runId());
    }

    private static void bindFilter(Params params, RunFilter filter, int limit) throws SQLException {
        int statuses = StartStatement.mask(filter.statuses());
        params.text(filter.type()).text(filter.type());
        params.integer(statuses).integer(statuses).bool(filter.workflowsOnly()).integer(limit);
    }

    private static RunPage read(ResultSet rows, int limit, int looks) throws SQLException {
        rows.next();
        int lookedAt = rows.getInt(1);
        if (lookedAt == 0) {
            return new RunPage(List.of(), null);
        }
        RunListCursor last = RunListCursor.behind(rows.getObject(2, UUID.class), rows.getString(3));
        List<RunRow> runs = new ArrayList<>();
        do {
            if (rows.getBoolean(4)) {
                runs.add(RunRows.read(rows, 4));
            }
        } while (rows.next());
        return new RunPage(runs, next(runs, limit, last, lookedAt < looks));
    }

    /** Returns the position after the last row read; if the page is full, after the last row returned. */
    private static @Nullable String next(List<RunRow> runs, int limit, RunListCursor lastLookedAt, boolean end) {
        boolean full = runs.size() == limit && limit > 0;
        RunRow last = full ? runs.get(limit - 1) : null;
        RunListCursor next = last == null ? lastLookedAt : RunListCursor.behind(last.runId(), last.workflowId());
        return end && next.equals(lastLookedAt) ? null : next.toString();
    }
}
