package dev.dormouse;

import java.sql.Connection;

/** What a step in a transaction does that has no result. It may throw anything; then the transaction is rolled back. */
@FunctionalInterface
public interface TransactionAction {
    void run(Connection connection) throws Exception;
}
