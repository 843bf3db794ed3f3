package dev.dormouse.sqlite.run;

import dev.dormouse.sqlite.connect.WriteConnection;
import dev.dormouse.sqlite.sql.FileReplacedException;
import dev.dormouse.sqlite.sql.SqlErrors;
import dev.dormouse.sqlite.sql.Tx;
import dev.dormouse.sqlite.sql.WriteLockedException;
import dev.dormouse.store.base.StoreException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/**
 * A batch whose entries are applied in one transaction, with an outcome for each entry.
 *
 * <p>The first attempt applies all entries without savepoints. If one entry cannot be stored, everything is rolled back
 * and applied again with a savepoint around each entry: the bad entry is rejected and the others are applied, still in
 * one transaction. If the transaction itself fails, all entries are unknown, even if the commit failed: it may have
 * reached the disk and become visible after a crash.
 */
public final class Batch<E, O> {
    private final String database;
    private final WriteConnection writer;
    private final Answers<O> answers;

    public Batch(String database, WriteConnection writer, Answers<O> answers) {
        this.database = database;
        this.writer = writer;
        this.answers = answers;
    }

    /**
     * The outcomes that do not depend on the content of an entry.
     *
     * @param locked for a transaction that did not start, because another connection holds the write lock
     * @param rejected for an entry that cannot be stored
     * @param unknown for a transaction that failed
     * @param gone for a file that was replaced; no attempt succeeds until the store is opened again
     */
    public record Answers<O>(
            O locked,
            Function<StoreException, ? extends O> rejected,
            Function<StoreException, ? extends O> unknown,
            Function<StoreException, ? extends O> gone) {}

    /**
     * The code that applies one entry. An exception concerns this entry alone, except for failures of the whole
     * database.
     */
    @FunctionalInterface
    public interface Entry<E, O> {
        O apply(Tx tx, E entry) throws SQLException;
    }

    public List<O> apply(int shard, List<E> entries, Entry<E, O> how) {
        if (entries.isEmpty()) {
            return List.of();
        }
        try {
            return writer.write(shard, tx -> together(tx, entries, how));
        } catch (SQLException e) {
            return SqlErrors.isOfEntry(e) ? applyApart(shard, entries, how) : failed(entries, e);
        } catch (RuntimeException e) {
            return applyApart(shard, entries, how);
        }
    }

    private List<O> together(Tx tx, List<E> entries, Entry<E, O> how) throws SQLException {
        List<O> outcomes = new ArrayList<>(entries.size());
        for (E entry : entries) {
            outcomes.add(how.apply(tx, entry));
        }
        return outcomes;
    }

    private List<O> applyApart(int shard, List<E> entries, Entry<E, O> how) {
        try {
            return writer.write(shard, tx -> apart(tx, entries, how));
        } catch (SQLException e) {
            return failed(entries, e);
        }
    }

    private List<O> apart(Tx tx, List<E> entries, Entry<E, O> how) throws SQLException {
        List<O> outcomes = new ArrayList<>(entries.size());
        for (E entry : entries) {
            tx.session().execute("savepoint entry");
            outcomes.add(alone(tx, entry, how));
            tx.session().execute("release entry");
        }
        return outcomes;
    }

    private O alone(Tx tx, E entry, Entry<E, O> how) throws SQLException {
        try {
            return how.apply(tx, entry);
        } catch (SQLException e) {
            if (!SqlErrors.isOfEntry(e)) {
                throw e;
            }
            return refuse(tx, e);
        } catch (RuntimeException e) {
            return refuse(tx, e);
        }
    }

    private O refuse(Tx tx, Exception e) throws SQLException {
        tx.session().execute("rollback to entry");
        return answers.rejected().apply(SqlErrors.ofEntry(e));
    }

    private List<O> failed(List<E> entries, SQLException e) {
        O answer;
        if (e instanceof WriteLockedException) {
            answer = answers.locked();
        } else {
            var how = e instanceof FileReplacedException ? answers.gone() : answers.unknown();
            answer = how.apply(SqlErrors.of(database, e));
        }
        return Collections.nCopies(entries.size(), answer);
    }
}
