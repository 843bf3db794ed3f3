package dev.dormouse.postgres.run;

import dev.dormouse.error.DormouseException;
import dev.dormouse.postgres.sql.SqlErrors;
import dev.dormouse.store.base.StoreException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A batch that is sent as one statement. If the statement fails, finds the entry at fault.
 *
 * <p>PostgreSQL applies a statement completely or not at all. If it refuses a statement because of an entry's content,
 * or because an entry waits for a lock, the batch is sent again in about √n pieces, and the failing piece in smaller
 * ones, until the bad entry is alone. If the outcome is unknown (the connection failed), all entries that may have been
 * applied or were not sent are unknown: sending them again is harmless.
 *
 * <p>Used once, by one thread.
 */
final class Batch<E, O> {
    /** After this many lock timeouts the whole table is assumed to be locked, for example by a schema change. */
    private static final int MOST_LOCK_WAITS = 20;

    private final Attempt<E, O> attempt;
    private final Verdicts<O> verdicts;
    private @Nullable StoreException lost;
    private int lockWaits;

    Batch(Attempt<E, O> attempt, Verdicts<O> verdicts) {
        this.attempt = attempt;
        this.verdicts = verdicts;
    }

    /** Sends one statement for all entries and returns an outcome for each, in their order. */
    @FunctionalInterface
    interface Attempt<E, O> {
        List<O> send(List<E> entries) throws SQLException;
    }

    /** The outcomes that every kind of batch has. */
    record Verdicts<O>(O locked, Function<StoreException, O> rejected, Function<StoreException, O> unknown) {}

    List<O> send(List<E> entries) {
        if (lost != null) {
            return Collections.nCopies(entries.size(), verdicts.unknown.apply(lost));
        }
        if (lockWaits >= MOST_LOCK_WAITS) {
            return Collections.nCopies(entries.size(), verdicts.locked);
        }
        try {
            return entries.isEmpty() ? List.of() : attempt.send(entries);
        } catch (SQLException | DormouseException e) {
            return blame(e, entries);
        }
    }

    private List<O> blame(Exception e, List<E> entries) {
        boolean badEntry = SqlErrors.isBadEntry(e);
        if (!badEntry && !SqlErrors.isLocked(e)) {
            lost = SqlErrors.unavailable(e);
            return send(entries);
        }
        lockWaits += badEntry ? 0 : 1;
        if (entries.size() == 1) {
            return List.of(badEntry ? verdicts.rejected.apply(SqlErrors.rejected(e)) : verdicts.locked);
        }
        return sendInPieces(entries, (int) Math.sqrt(entries.size()));
    }

    private List<O> sendInPieces(List<E> entries, int length) {
        List<O> outcomes = new ArrayList<>(entries.size());
        for (int from = 0; from < entries.size(); from += length) {
            outcomes.addAll(send(entries.subList(from, Math.min(from + length, entries.size()))));
        }
        return outcomes;
    }
}
