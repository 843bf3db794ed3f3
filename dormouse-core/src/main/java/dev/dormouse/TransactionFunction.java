package dev.dormouse;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** What a step in a transaction does. It may throw anything; then the transaction is rolled back. */
@FunctionalInterface
public interface TransactionFunction<T extends @Nullable Object> {
    T run(Connection connection) throws Exception;
}
