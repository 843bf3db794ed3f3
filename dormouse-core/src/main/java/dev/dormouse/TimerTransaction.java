package dev.dormouse;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** What a timer does to the store's own database, in the transaction that also records that it has fired. */
@FunctionalInterface
public interface TimerTransaction<T extends @Nullable Object> {
    void fire(T payload, Connection connection) throws Exception;
}
