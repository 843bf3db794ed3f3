package dev.dormouse.postgres;

import dev.dormouse.error.DormouseException;
import dev.dormouse.store.StoreException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends a batch as one statement, and finds out which entry is to blame when that fails.
 *
 * <p>PostgreSQL applies a statement as a whole or not at all. When it refuses one for what an entry holds, or because an
 * entry waits for somebody's lock, the batch goes again in about √n pieces, and the piece at fault in smaller ones: the
 * others are held up for a moment, and in the end the bad entry stands alone. When nobody can tell what happened (the
 * connection died), what may have been applied and what was not sent any more is unknown: sending it again is harmless.
 *
 * <p>Used once, by one thread.
 */
final class Batch<E, O> {
    /** Who has waited so often does not wait for a row: the whole table is locked, by a change of its schema for one. */
    private static final int MOST_LOCK_WAITS = 20;

    private final Attempt<E, O> attempt;
    private final Verdicts<O> verdicts;
    private @Nullable StoreException lost;
    private int lockWaits;

    Batch(Attempt<E, O> attempt, Verdicts<O> verdicts) {
        this.attempt = attempt;
        this.verdicts = verdicts;
    }

    /** One statement for all these entries; an outcome for each, in their order. */
    @FunctionalInterface
    interface Attempt<E, O> {
        List<O> send(List<E> entries) throws SQLException;
    }

    /** How the outcomes are called that every kind of batch has. */
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
