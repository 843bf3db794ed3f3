package dev.dormouse.internal.run;

import dev.dormouse.codec.Payload;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.store.run.RunRow;
import java.util.List;

/** The code of a workflow type. */
public interface RunCode {

    /**
     * Executes a run on the calling thread: replays what is recorded and goes on from there, until the run is closed or
     * {@link Evicted}. Throws {@link CodeMismatch} when the code does not match what is recorded.
     */
    void execute(Session session);

    /** Whether the moment at which a delayed run begins is recorded before its first line. */
    default boolean recordsItsBeginning() {
        return true;
    }

    /** Whether results of steps may be committed a little after the next step has begun. */
    default boolean isBatched() {
        return false;
    }

    /** Returns what is kept of an exception that the code has thrown. */
    default Failure keep(Throwable problem) {
        return Failure.of(problem);
    }

    /**
     * Asks a run's code something on the calling thread. It sees what is recorded and changes nothing. Throws
     * {@link CodeMismatch} when the code does not match what is recorded.
     */
    Payload query(RunRow run, List<Event> history, String name, List<Payload> arguments);
}
