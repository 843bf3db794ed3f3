package dev.dormouse.internal.client;

import dev.dormouse.WorkflowHandle;
import dev.dormouse.internal.history.Event;
import java.util.List;

/** A run in its stored form, for tools of Dormouse itself: the dashboard, the command line, the test kit. Thread-safe. */
public interface RunAccess {

    /** Returns the access to the run of {@code handle}, which this Dormouse has created. */
    static RunAccess of(WorkflowHandle<?> handle) {
        return (RunAccess) handle;
    }

    /**
     * Returns the complete history in its stored form, after checking it for damage.
     *
     * @throws dev.dormouse.error.DormouseException HISTORY_DAMAGED if it is damaged; HISTORY_TOO_NEW if a newer
     *     version of Dormouse wrote it
     */
    List<Event> events();

    /** Returns the run's row, its history and the progress of its steps, each read once. */
    RunSnapshot snapshot();
}
