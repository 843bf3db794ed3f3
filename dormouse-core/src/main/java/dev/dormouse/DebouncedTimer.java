package dev.dormouse;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.replay.Deadlines;
import dev.dormouse.replay.OpenWait;
import dev.dormouse.replay.Replay;
import dev.dormouse.replay.WaitEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Waits until nothing has happened for a while: each touch pushes the end by a quiet period, never beyond a limit after
 * the first touch. Then it can be used anew. Made by {@link Workflow#newDebouncedTimer}; belongs to the run's
 * coroutines. Keeps all values of a round in memory, and none in the history.
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
                    "Expected a quiet period of zero or more, and a limit no shorter than that, but got " + quiet
                            + " and " + limit + ". Make the limit longer.");
        }
        Deadlines.plus(run.now(), limit); // too long for every store
        this.run = run;
        this.quiet = quiet;
        this.limit = limit;
    }

    /** Something has happened. */
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

    /** Waits for the first touch and then until it is quiet; the value of the last touch. */
    public T awaitLast() {
        List<T> all = awaitAll();
        return all.get(all.size() - 1);
    }

    /** The same with the values of all touches, in order. */
    public List<T> awaitAll() {
        run.until(() -> end != null);
        run.await(OpenWait.Kind.TIMER, "", WaitEnd.of(() -> end), () -> false);
        List<T> all = new ArrayList<>(values);
        values.clear();
        end = null;
        last = null;
        return all;
    }

    /** When it ends as things are; null while nothing has happened. */
    public @Nullable Instant endsAt() {
        return end;
    }
}
