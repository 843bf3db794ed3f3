package dev.dormouse;

import dev.dormouse.store.run.RunStatus;
import java.util.EnumSet;
import java.util.Set;

/** The status of a timer. */
public enum TimerStatus {
    /** The timer will fire, for the first time or again after a failed attempt. */
    PENDING(RunStatus.PENDING, RunStatus.WAITING, RunStatus.PARKED),
    /** The handler is executing. */
    FIRING(RunStatus.RUNNING),
    /** The handler has returned. */
    FIRED(RunStatus.COMPLETED),
    /** The handler has failed, and is not tried again. */
    FAILED(RunStatus.FAILED, RunStatus.TIMED_OUT),
    /** The timer will never fire. */
    CANCELED(RunStatus.CANCELED, RunStatus.TERMINATED),
    /** The timer cannot be executed in its stored form; it is retried periodically. */
    STUCK(RunStatus.STUCK);

    private final Set<RunStatus> runs;

    TimerStatus(RunStatus first, RunStatus... more) {
        this.runs = EnumSet.of(first, more);
    }

    Set<RunStatus> runs() {
        return runs;
    }

    static TimerStatus of(RunStatus run) {
        for (TimerStatus status : values()) {
            if (status.runs.contains(run)) {
                return status;
            }
        }
        throw new IllegalArgumentException("Expected the status of a timer, but got " + run + ".");
    }
}
