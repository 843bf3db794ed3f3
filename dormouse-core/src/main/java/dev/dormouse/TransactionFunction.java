package dev.dormouse;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** The body of a transaction step with a result. It may throw any exception; then the transaction is rolled back. */
@FunctionalInterface
public interface TransactionFunction<T extends @Nullable Object> {
    /**
     * Executes the step and returns its result.
     *
     * @throws Exception any exception; it rolls the transaction back and fails the attempt
     */
    T run(Connection connection) throws Exception;
}
