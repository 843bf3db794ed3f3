package dev.dormouse.postgres.event;

import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.event.Question;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Queries that one node asks and another node answers. The update that stores an answer filters by the primary key
 * only, and {@code coalesce} keeps an existing answer. A condition {@code answer is null} could make the planner scan
 * the index of open questions instead.
 */
public final class QuestionStatements {
    private final String ask;
    private final String open;
    private final String reply;
    private final String read;
    private final String forget;

    public QuestionStatements(Schema schema) {
        this.ask = schema.sql("""
                insert into ${schema}.question (shard, id, run_id, workflow_id, lane, asked_at, payload)
                values (?, ?, ?, ?, ?, ${now}, ?)
                on conflict do nothing
                """);
        this.open = schema.sql("""
                select c.id, c.run_id, c.workflow_id, c.lane, c.payload
                from (select ?::int as shard, lane from unnest(?::text[]) lane) lanes
                  cross join lateral (
                    select *
                    from ${schema}.question q
                    where q.shard = lanes.shard and q.lane = lanes.lane and q.answer is null
                    order by q.asked_at, q.id
                    limit ?::int8) c
                order by c.asked_at, c.id
                limit ?::int8
                """);
        this.reply = schema.sql("""
                update ${schema}.question set answer = coalesce(answer, ?::bytea) where shard = ? and id = ?
                """);
        this.read = schema.sql("select answer from ${schema}.question where shard = ? and id = ?");
        this.forget = schema.sql("""
                with named as materialized (
                  select locked.*
                  from (select ?::int as shard, id from unnest(?::uuid[]) id) b
                    cross join lateral (
                      select q.shard, q.id, q.ctid as tid
                      from ${schema}.question q
                      where q.shard = b.shard and q.id = b.id
                      for update skip locked) locked),
                old as materialized (
                  select q.shard, q.id, q.ctid as tid
                  from ${schema}.question q
                  where q.shard = ? and q.asked_at > 0 and q.asked_at < ${now} - ?::int8
                  order by q.asked_at
                  for update skip locked)
                delete from ${schema}.question q
                using (select * from named union select * from old) gone
                where q.ctid = gone.tid and q.shard = gone.shard and q.id = gone.id
                """);
    }

    public void ask(Connection connection, int shard, Question question) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(ask)) {
            new Params(statement)
                    .integer(shard)
                    .uuid(question.id())
                    .uuid(question.runId())
                    .text(question.workflowId())
                    .text(question.lane())
                    .bytea(question.payload());
            statement.executeUpdate();
        }
    }

    public List<Question> open(Connection connection, int shard, List<String> lanes, int limit) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(open)) {
            new Params(statement)
                    .integer(shard)
                    .texts(List.copyOf(new LinkedHashSet<>(lanes)))
                    .bigint(limit)
                    .bigint(limit);
            try (ResultSet rows = statement.executeQuery()) {
                List<Question> all = new ArrayList<>();
                while (rows.next()) {
                    all.add(new Question(
                            rows.getObject(1, UUID.class),
                            rows.getObject(2, UUID.class),
                            rows.getString(3),
                            rows.getString(4),
                            rows.getBytes(5)));
                }
                return all;
            }
        }
    }

    public void reply(Connection connection, int shard, UUID id, byte[] answer) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(reply)) {
            new Params(statement).bytea(answer).integer(shard).uuid(id);
            statement.executeUpdate();
        }
    }

    public Optional<byte[]> reply(Connection connection, int shard, UUID id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(read)) {
            new Params(statement).integer(shard).uuid(id);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? Optional.ofNullable(rows.getBytes(1)) : Optional.empty();
            }
        }
    }

    public int forget(Connection connection, int shard, List<UUID> ids, Duration age) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(forget)) {
            new Params(statement).integer(shard).uuids(ids).integer(shard).delay(age);
            return statement.executeUpdate();
        }
    }
}
