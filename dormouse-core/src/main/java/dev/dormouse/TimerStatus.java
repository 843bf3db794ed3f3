package dev.dormouse;

import dev.dormouse.store.RunStatus;
import java.util.EnumSet;
import java.util.Set;

/** What has become of a timer. */
public enum TimerStatus {
    /** It will fire, for the first time or again after an attempt that failed. */
    PENDING(RunStatus.PENDING, RunStatus.WAITING, RunStatus.PARKED),
    /** Its handler is at work. */
    FIRING(RunStatus.RUNNING),
    /** Its handler has returned. */
    FIRED(RunStatus.COMPLETED),
    /** Its handler has failed, and is not tried again. */
    FAILED(RunStatus.FAILED, RunStatus.TIMED_OUT),
    /** It will never fire. */
    CANCELED(RunStatus.CANCELED, RunStatus.TERMINATED),
    /** It cannot be executed as it is stored, and is tried again now and then. */
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
        throw new IllegalArgumentException("no timer is " + run);
    }
}
