package dev.dormouse;

import dev.dormouse.error.DormouseException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A wait that ends when nothing has happened for a while. Each {@link #touch} moves the end to one quiet period later,
 * but never beyond a limit after the first touch. After that, the timer can be used again. Keeps all values of a round
 * in memory, and none in the history. Created by {@link Workflow#newDebouncedTimer}. Not thread-safe: only the
 * coroutines of its run may use it.
 *
 * <pre>{@code
 * private final DebouncedTimer<String> edits = Workflow.newDebouncedTimer(ofSeconds(30), ofMinutes(5));
 * public void edited(String text) { edits.touch(text); }   // a signal
 * …
 * String last = edits.awaitLast();
 * }</pre>
 */
public interface DebouncedTimer<T extends @Nullable Object> {

    /**
     * Adds a value, and moves the end of the wait to one quiet period from now, or to the limit if that is earlier.
     *
     * @throws DormouseException NOT_ALLOWED_HERE in a condition, query or validator; INSTANT_OUT_OF_RANGE if the
     *     new end is out of range
     */
    void touch(T value);

    /**
     * Waits for the first touch and then for the end of the quiet period. Returns the value of the last touch.
     *
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     */
    T awaitLast();

    /**
     * Waits for the first touch and then for the end of the quiet period. Returns the values of all touches, in order.
     *
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     */
    List<T> awaitAll();

    /** Returns the current end of the wait; null before the first touch. */
    @Nullable
    Instant endsAt();
}
