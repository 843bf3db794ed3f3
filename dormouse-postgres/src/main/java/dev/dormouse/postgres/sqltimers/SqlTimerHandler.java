package dev.dormouse.postgres.sqltimers;

/**
 * A handler of timers that were scheduled by {@code timers.schedule_handler}. Called by many threads at once. A handler
 * that throws is called again later, with the next attempt number; so is one whose node died.
 */
@FunctionalInterface
public interface SqlTimerHandler {
    /**
     * Handles a timer that fires. The timer has fired when this method returns.
     *
     * @throws Exception any exception; it fails the attempt
     */
    void fire(SqlTimerCall call) throws Exception;
}
