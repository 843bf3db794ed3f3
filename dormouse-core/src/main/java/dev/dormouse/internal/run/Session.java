package dev.dormouse.internal.run;

import dev.dormouse.codec.Payload;
import dev.dormouse.internal.history.Event;
import dev.dormouse.store.run.RunRow;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One activation of a run in a node's memory, as its code sees it: first the recorded events, then live inputs.
 * Confined to the run's thread. Every method throws {@link Evicted} when the activation has ended.
 */
public interface Session {

    /** Returns the row of the run when the activation started. */
    RunRow run();

    /** Returns the events to replay before any live input, {@link Event.RunStarted} first. */
    List<Event> recorded();

    /**
     * Returns true if the code may have executed before beyond the recorded events, even if there are none besides the
     * start. See {@link RunProgress}.
     */
    boolean hasRun();

    /**
     * Returns the versions of changes that earlier activations of this run on this node have decided. They are kept even if
     * the store refused the commit that would have recorded them, because another activation of the same code must not
     * decide otherwise. The caller adds new ones.
     */
    Map<String, Integer> decidedVersions();

    /** Returns the time for a command that the code issues now. */
    Instant stamp();

    /** Returns a new id for a run that the code requests. */
    UUID newRunId();

    /** Returns true if a living node executes runs of this type. */
    boolean isServed(String type);

    /**
     * Returns the text to add to a log line about a mistake in the code of this run's type; null if this node has
     * logged enough such lines within the minute.
     */
    @Nullable
    String mayLog();

    /** Takes the commands and requested steps of the code, waits for the next input and returns it. */
    Event next(Blocked blocked);

    /**
     * Continues without a coroutine that catches everything that is thrown at it. Its thread blocks forever
     * afterwards.
     *
     * @param reason why the code had to end
     * @param line where the coroutine calls Workflow
     * @param isFirst true if the coroutine runs on the thread of the activation, so that another thread must end the
     *     activation
     */
    void abandon(Throwable reason, String line, boolean isFirst);

    /**
     * Closes the run with the last commands of the code and its end.
     *
     * @param unanswered positions of updates that the end of the run answers with a failure
     * @param again the input for a run that replaces this one, because a debounced start came too late for this run;
     *     null for none
     * @return null if the run is closed; otherwise an input that the code must take before the next try
     */
    @Nullable
    Event close(List<Event> commands, List<Long> unanswered, @Nullable List<Payload> again, Ending ending);
}
