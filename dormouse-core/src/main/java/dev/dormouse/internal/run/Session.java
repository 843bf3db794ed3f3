package dev.dormouse.internal.run;

import dev.dormouse.codec.Payload;
import dev.dormouse.internal.history.Event;
import dev.dormouse.store.run.RunRow;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One stay of a run in a node's memory, as its code sees it: first the recorded events, then live inputs. Used by the
 * run's own thread. Every method throws {@link Evicted} when the stay is over.
 */
public interface Session {

    /** The run, as it was when the stay began. */
    RunRow run();

    /** What is to be applied before anything live, {@link Event.RunStarted} first. */
    List<Event> recorded();

    /** Whether the code has run before up to where the recorded events end, even if there are none. */
    boolean hasRun();

    /** The time for a command that the code issues now. */
    Instant stamp();

    /** The id for a run that the code asks for. */
    UUID newRunId();

    /** Whether somebody is alive who executes runs of this type. */
    boolean isServed(String type);

    /**
     * Returns what to add to a log line about a mistake in the code of this type of run, or null if this node has logged
     * enough such lines within the minute.
     */
    @Nullable
    String mayLog();

    /** Takes what the code has come to, and waits for the next input. */
    Event next(Blocked blocked);

    /**
     * Continues without a coroutine that catches everything that is thrown at it. Its thread waits for good after this.
     *
     * @param reason why the code was to end
     * @param line where the coroutine calls Workflow
     * @param isFirst whether it is the one on the thread that executes the stay, so that another has to end the stay
     */
    void abandon(Throwable reason, String line, boolean isFirst);

    /**
     * Closes the run with what the code asked for last and its end.
     *
     * @param unanswered positions of updates that are answered by the end of the run
     * @param again the input for a run that begins in the place of this one, because it was started again too late; null
     *     for none
     * @return null when it is closed; otherwise an input that has to be applied before it is tried again
     */
    @Nullable
    Event close(List<Event> commands, List<Long> unanswered, @Nullable List<Payload> again, Ending ending);
}
