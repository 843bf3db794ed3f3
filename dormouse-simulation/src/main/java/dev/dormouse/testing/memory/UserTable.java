package dev.dormouse.testing.memory;

import java.util.List;

/**
 * The only user table of a {@link MemoryStore}, which has no SQL: rows are lines of text, in commit order. In a
 * transaction, {@code connection.unwrap(UserTable.class)} returns it.
 */
public interface UserTable {

    /** Adds a row, which becomes visible to others when the transaction commits. */
    void add(String row);

    /** Returns all committed rows, and those added by this transaction. */
    List<String> rows();
}
