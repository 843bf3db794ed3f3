package dev.dormouse.internal.run;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.store.run.RunRow;
import java.util.List;

/**
 * The knowledge of whether a run's code may have executed before beyond its recorded events.
 *
 * <p>A step, a wait for a condition and a pure computation record nothing when they begin. So a run whose code has executed
 * may be anywhere between its last recorded event and its next input. The first execution of a run differs: nothing beyond
 * its recorded events has happened yet. This is the case for a new run, and for one that shares events with the run that it
 * replaces after a retry or a reset.
 */
public final class RunProgress {
    private RunProgress() {}

    /**
     * Returns true if the code may have executed before, as far as its row and history show.
     *
     * @param recorded the run's history
     * @param handedOver true if the run's previous node released it, possibly in the middle of a step
     */
    public static boolean mayHaveRun(RunRow row, List<Event> recorded, boolean handedOver) {
        Origin.Reset reset = ((Event.RunStarted) recorded.get(0)).origin().reset();
        int first = reset == null ? 1 : reset.events();
        // A replacement begins as a handover. A build that refuses a run has executed no step of it.
        boolean wasReleased = handedOver && reset == null && row.refused().isEmpty();
        return recorded.size() > first || row.takeovers() > 0 || wasReleased || isPaused(row.status());
    }

    /** Returns true if the code may have executed before, for a run that is not claimed now. */
    public static boolean mayHaveRun(RunRow row, List<Event> recorded) {
        return mayHaveRun(row, recorded, row.status() == RunStatus.PENDING && row.wakeReason() == WakeReason.HANDOVER);
    }

    /** Returns true for the states in which the code of a run waits. */
    public static boolean isPaused(RunStatus status) {
        return status == RunStatus.WAITING || status == RunStatus.PARKED;
    }
}
