package dev.dormouse;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.replay.Deadlines;
import dev.dormouse.internal.replay.OpenWait;
import dev.dormouse.internal.replay.Replay;
import dev.dormouse.internal.replay.WaitEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
public final class DebouncedTimer<T extends @Nullable Object> {
    private final Replay run;
    private final Duration quiet;
    private final Duration limit;
    private final List<T> values = new ArrayList<>();
    private @Nullable Instant end;
    private @Nullable Instant last;

    DebouncedTimer(Replay run, Duration quiet, Duration limit) {
        if (quiet.isNegative() || quiet.compareTo(limit) > 0) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a quiet period of zero or more, and a limit that is not shorter, but got " + quiet
                            + " and " + limit + ". Make the limit longer.");
        }
        Deadlines.plus(run.now(), limit); // throws if the limit is beyond the range of every store
        this.run = run;
        this.quiet = quiet;
        this.limit = limit;
    }

    /**
     * Adds a value, and moves the end of the wait to one quiet period from now, or to the limit if that is earlier.
     *
     * @throws DormouseException NOT_ALLOWED_HERE in a condition, query or validator; INSTANT_OUT_OF_RANGE if the
     *     new end is out of range
     */
    public void touch(T value) {
        run.checkMayAct("touch");
        Instant now = run.now();
        if (last == null) {
            last = Deadlines.plus(now, limit);
        }
        Instant pushed = Deadlines.plus(now, quiet);
        end = pushed.isBefore(last) ? pushed : last;
        values.add(value);
    }

    /**
     * Waits for the first touch and then for the end of the quiet period. Returns the value of the last touch.
     *
     * @throws dev.dormouse.error.CanceledFailure if the run or the calling scope is cancelled
     */
    public T awaitLast() {
        List<T> all = awaitAll();
        return all.get(all.size() - 1);
    }

    /**
     * Waits for the first touch and then for the end of the quiet period. Returns the values of all touches, in order.
     *
     * @throws dev.dormouse.error.CanceledFailure if the run or the calling scope is cancelled
     */
    public List<T> awaitAll() {
        run.until(() -> end != null);
        run.await(OpenWait.Kind.TIMER, "", WaitEnd.of(() -> end), () -> false);
        List<T> all = new ArrayList<>(values);
        values.clear();
        end = null;
        last = null;
        return all;
    }

    /** Returns the current end of the wait; null before the first touch. */
    public @Nullable Instant endsAt() {
        return end;
    }
}
