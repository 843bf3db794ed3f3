package dev.dormouse.sqlite;

import dev.dormouse.store.StoreException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/**
 * Applies the entries of a batch in one transaction, and finds an answer for each, whatever happens.
 *
 * <p>First all together, with nothing around a single entry. When one of them turns out to be impossible to store,
 * everything is rolled back and applied again with a savepoint around each entry: the bad one is refused, and the
 * others go through, still in one transaction. When the transaction itself fails, all entries are unknown: also a
 * commit that failed may have reached the disk, and come to light after a crash.
 */
final class Batch<E, O> {
    private final String database;
    private final Writer writer;
    private final Answers<O> answers;

    Batch(String database, Writer writer, Answers<O> answers) {
        this.database = database;
        this.writer = writer;
        this.answers = answers;
    }

    /**
     * The answers that do not depend on what an entry asks for.
     *
     * @param locked nothing was begun, because of somebody else's lock
     * @param gone the file is not in its place any more; no attempt will succeed until the store is opened again
     */
    record Answers<O>(
            O locked,
            Function<StoreException, ? extends O> rejected,
            Function<StoreException, ? extends O> unknown,
            Function<StoreException, ? extends O> gone) {}

    /** Applies one entry. What it throws is about this entry, except for failures of the database as a whole. */
    @FunctionalInterface
    interface Entry<E, O> {
        O apply(Tx tx, E entry) throws SQLException;
    }

    List<O> apply(int shard, List<E> entries, Entry<E, O> how) {
        if (entries.isEmpty()) {
            return List.of();
        }
        try {
            return writer.write(shard, tx -> together(tx, entries, how));
        } catch (SQLException e) {
            return Failures.isOfEntry(e) ? applyApart(shard, entries, how) : failed(entries, e);
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
            if (!Failures.isOfEntry(e)) {
                throw e;
            }
            return refuse(tx, e);
        } catch (RuntimeException e) {
            return refuse(tx, e);
        }
    }

    private O refuse(Tx tx, Exception e) throws SQLException {
        tx.session().execute("rollback to entry");
        return answers.rejected().apply(Failures.ofEntry(e));
    }

    private List<O> failed(List<E> entries, SQLException e) {
        O answer;
        if (e instanceof WriteLockedException) {
            answer = answers.locked();
        } else {
            var how = e instanceof FileReplacedException ? answers.gone() : answers.unknown();
            answer = how.apply(Failures.of(database, e));
        }
        return Collections.nCopies(entries.size(), answer);
    }
}
