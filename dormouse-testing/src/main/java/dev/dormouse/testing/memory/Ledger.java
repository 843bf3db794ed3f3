package dev.dormouse.testing.memory;

import java.util.List;

/**
 * The one table that users have in a {@link MemoryStore}, which knows no SQL: rows are lines of text, in the order in
 * which they were committed. {@code connection.unwrap(Ledger.class)} leads to it, in a transaction.
 */
public interface Ledger {

    /** Adds a row that others see when the transaction is committed. */
    void add(String row);

    /** All rows that were committed, and those that this transaction has added. */
    List<String> rows();
}
