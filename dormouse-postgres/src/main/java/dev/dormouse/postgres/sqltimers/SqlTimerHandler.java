package dev.dormouse.postgres.sqltimers;

/**
 * What a program does when a timer fires that was set by {@code timers.schedule_handler}. Called by many threads at once.
 * One that throws is called again later, with the attempt counted; so is one whose node died in between.
 */
@FunctionalInterface
public interface SqlTimerHandler {
    void fire(SqlTimerCall call) throws Exception;
}
