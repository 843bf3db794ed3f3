package dev.dormouse.sqlite.event;

import dev.dormouse.sqlite.sql.SqlSession;
import dev.dormouse.sqlite.sql.Tx;
import dev.dormouse.sqlite.sql.UuidBytes;
import dev.dormouse.store.event.Note;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** Statements that store and read progress notes of steps that are executing. */
public final class NoteStatements {
    static final String KEEP = """
            insert into dormouse_note (shard, run_id, call, attempt, lease, payload)
            select ?1, ?2, ?3, ?4, ?5, ?6
            where exists (select 1 from dormouse_run where shard = ?1 and run_id = ?2 and lease = ?5)
            on conflict do update set attempt = excluded.attempt, lease = excluded.lease, payload = excluded.payload
              where attempt <= excluded.attempt""";

    static final String OF_RUN = """
            select run_id, lease, call, attempt, payload from dormouse_note
            where shard = ? and run_id = ?
            order by call""";

    static final String ERASE = """
            delete from dormouse_note
            where shard = ? and run_id = ? and call = ? and attempt <= ?""";

    private NoteStatements() {}

    /** Stores notes and returns the number of changed rows. */
    public static int keep(Tx tx, List<Note> notes) throws SQLException {
        int kept = 0;
        for (Note note : notes) {
            kept += tx.call(KEEP)
                    .with(tx.shard())
                    .with(note.runId())
                    .with(note.call())
                    .with(note.attempt())
                    .with(note.lease())
                    .with(note.payload())
                    .update();
        }
        return kept;
    }

    public static List<Note> of(SqlSession session, int shard, UUID runId) throws SQLException {
        return session.call(OF_RUN).with(shard).with(runId).all(NoteStatements::read);
    }

    private static Note read(ResultSet row) throws SQLException {
        return new Note(UuidBytes.toId(row.getBytes(1)), row.getLong(2), row.getInt(3), row.getInt(4), row.getBytes(5));
    }

    /** Deletes notes and returns their number. */
    public static int erase(Tx tx, List<Note> notes) throws SQLException {
        int gone = 0;
        for (Note note : notes) {
            gone += tx.call(ERASE)
                    .with(tx.shard())
                    .with(note.runId())
                    .with(note.call())
                    .with(note.attempt())
                    .update();
        }
        return gone;
    }
}
