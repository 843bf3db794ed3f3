package dev.dormouse.internal.run;

import dev.dormouse.codec.Payload;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.store.run.RunRow;
import java.util.List;

/** The code of a workflow type. */
public interface RunCode {

    /**
     * Executes a run on the calling thread: replays the recorded events and continues, until the run closes or {@link
     * Evicted} is thrown.
     *
     * @throws CodeMismatch if the code does not match the recorded events
     */
    void execute(Session session);

    /** Returns true if the beginning of a delayed run is recorded before its first line. Default: true. */
    default boolean recordsItsBeginning() {
        return true;
    }

    /** Returns true if step results may be committed shortly after the next step has started. Default: false. */
    default boolean isBatched() {
        return false;
    }

    /** Returns the recorded form of an exception that the code has thrown. */
    default Failure keep(Throwable problem) {
        return Failure.of(problem);
    }

    /**
     * Executes a query on the calling thread. The code sees the recorded events and changes nothing.
     *
     * @throws CodeMismatch if the code does not match the recorded events
     */
    Payload query(RunRow run, List<Event> history, String name, List<Payload> arguments);
}
