package dev.dormouse.postgres.sqltimers;

import java.time.Duration;

/**
 * Settings that an admin may change while nodes run.
 *
 * @param safetySweep the sweep interval; zero disables the sweep
 */
record TimerSettings(int timersPerBatch, Duration safetySweep) {
    static final TimerSettings DEFAULT = new TimerSettings(500, Duration.ofMinutes(1));
}
