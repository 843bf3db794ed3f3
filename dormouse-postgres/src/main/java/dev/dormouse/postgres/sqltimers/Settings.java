package dev.dormouse.postgres.sqltimers;

import java.time.Duration;

/**
 * What an admin may change while nodes run.
 *
 * @param safetySweep zero switches it off
 */
record Settings(int timersPerBatch, Duration safetySweep) {
    static final Settings DEFAULT = new Settings(500, Duration.ofMinutes(1));
}
