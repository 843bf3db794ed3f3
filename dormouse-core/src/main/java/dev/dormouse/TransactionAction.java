package dev.dormouse;

import java.sql.Connection;

/** The body of a transaction step without a result. It may throw any exception; then the transaction is rolled back. */
@FunctionalInterface
public interface TransactionAction {
    /**
     * Executes the step.
     *
     * @throws Exception any exception; it rolls the transaction back and fails the attempt
     */
    void run(Connection connection) throws Exception;
}
