package dev.dormouse.postgres.sqltimers;

/**
 * Handles timers that were scheduled by {@code timers.schedule_handler}. Called by many threads at once. A handler that
 * throws is called again later, with the next attempt number; so is one whose node died.
 */
@FunctionalInterface
public interface SqlTimerHandler {
    void fire(SqlTimerCall call) throws Exception;
}
