package dev.dormouse.timer;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/**
 * The action of a timer when it fires, on the store's own database. It runs in the transaction that also records that
 * the timer has fired. It may throw any exception; then the transaction is rolled back.
 */
@FunctionalInterface
public interface TimerTransaction<T extends @Nullable Object> {
    /**
     * Handles a timer that fires.
     *
     * @throws Exception any exception; it rolls the transaction back and fails the attempt
     */
    void fire(T payload, Connection connection) throws Exception;
}
