package dev.dormouse.examples.polling;

import dev.dormouse.Activity;
import dev.dormouse.error.ActivityFailedException;
import java.time.Duration;

/** A warehouse that looks for the file periodically, instead of waiting for it on a thread. */
public final class PollingWarehouse implements Warehouse {
    private final Jobs jobs;
    private final Duration interval;

    public PollingWarehouse(Jobs jobs, Duration interval) {
        this.jobs = jobs;
        this.interval = interval;
    }

    /** The interface of the other system, which cannot call back. */
    public interface Jobs {
        /** Begins a job, or finds the one with this key. Returns its name. */
        String begin(String table, String key);

        /** Returns {@code RUNNING}, {@code FAILED}, or the address of the file. */
        String look(String job);
    }

    @Override
    public String begin(String table) {
        return jobs.begin(table, Activity.idempotencyKey());
    }

    @Override
    public String awaitFile(String job) {
        String state = jobs.look(job);
        return switch (state) {
            case "RUNNING" -> Activity.pause(job + " is not ready", interval);
            case "FAILED" -> throw ActivityFailedException.nonRetryable(job + " has failed");
            default -> state;
        };
    }
}
