package dev.dormouse.postgres.event;

import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.postgres.sql.SqlErrors;
import dev.dormouse.store.event.Note;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Statements that store and read progress notes of steps that are executing. The run's row is read but not locked: a
 * note that was being written when its run was lost is as good as one written a moment before. Rows are written in key
 * order, so that two batches cannot deadlock. ({@code CommitStatement} explains why each entry looks up its row.)
 */
public final class NoteStatements {
    private final String keep;
    private final String ofRun;
    private final String erase;

    public NoteStatements(Schema schema) {
        this.keep = schema.sql("""
                with b as materialized (
                  select ?::int as shard, b.*
                  from unnest(?::uuid[], ?::int8[], ?::int4[], ?::int4[], ?::bytea[])
                    as b(run_id, lease, call, attempt, payload)
                  order by run_id, call)
                insert into ${schema}.note (shard, run_id, call, attempt, lease, payload)
                select b.shard, b.run_id, b.call, b.attempt, b.lease, b.payload
                from b cross join lateral (
                  select 1 from ${schema}.run r
                  where r.shard = b.shard and r.run_id = b.run_id and r.lease = b.lease
                  offset 0) held
                on conflict (shard, run_id, call) do update
                set attempt = excluded.attempt, lease = excluded.lease, payload = excluded.payload
                where note.attempt <= excluded.attempt
                """);
        this.ofRun = schema.sql("""
                select run_id, lease, call, attempt, payload
                from ${schema}.note
                where shard = ? and run_id = ?
                order by call
                """);
        this.erase = schema.sql("""
                with b as materialized (
                  select ?::int as shard, b.*
                  from unnest(?::uuid[], ?::int4[], ?::int4[]) as b(run_id, call, attempt)
                  order by run_id, call),
                l as materialized (
                  select b.shard, b.run_id, locked.ctid as tid
                  from b cross join lateral (
                    select n.ctid from ${schema}.note n
                    where n.shard = b.shard and n.run_id = b.run_id and n.call = b.call and n.attempt <= b.attempt
                    for update) locked),
                d as (
                  delete from ${schema}.note n using l
                  where n.ctid = l.tid and n.shard = l.shard and n.run_id = l.run_id
                  returning 1)
                select (select count(*) from l) - (select count(*) from d)
                """);
    }

    public void keep(Connection connection, int shard, List<Note> notes) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(keep)) {
            new Params(statement)
                    .integer(shard)
                    .uuids(notes, Note::runId)
                    .bigints(notes, Note::lease)
                    .integers(notes, Note::call)
                    .integers(notes, Note::attempt)
                    .byteas(notes, Note::payload);
            statement.executeUpdate();
        }
    }

    public List<Note> ofRun(Connection connection, int shard, UUID runId) throws SQLException {
        List<Note> notes = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(ofRun)) {
            new Params(statement).integer(shard).uuid(runId);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    notes.add(new Note(
                            rows.getObject(1, UUID.class),
                            rows.getLong(2),
                            rows.getInt(3),
                            rows.getInt(4),
                            rows.getBytes(5)));
                }
            }
        }
        return notes;
    }

    /** Deletes notes. A note that was written again since the statement began is not found, and counts as locked. */
    public void erase(Connection connection, int shard, List<Note> notes) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(erase)) {
            new Params(statement)
                    .integer(shard)
                    .uuids(notes, Note::runId)
                    .integers(notes, Note::call)
                    .integers(notes, Note::attempt);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                if (rows.getLong(1) > 0) {
                    throw new SQLException("a note was written while it was erased", SqlErrors.SERIALIZATION_FAILURE);
                }
            }
        }
    }
}
