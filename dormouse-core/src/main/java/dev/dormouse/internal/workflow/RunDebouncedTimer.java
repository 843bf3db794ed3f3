package dev.dormouse.internal.workflow;

import dev.dormouse.DebouncedTimer;
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

/** A debounced timer of a run. Not thread-safe: belongs to the run's coroutines, which execute one at a time. */
final class RunDebouncedTimer<T extends @Nullable Object> implements DebouncedTimer<T> {
    private final Replay run;
    private final Duration quiet;
    private final Duration limit;
    private final List<T> values = new ArrayList<>();
    private @Nullable Instant end;
    private @Nullable Instant last;

    RunDebouncedTimer(Replay run, Duration quiet, Duration limit) {
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

    @Override
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

    @Override
    public T awaitLast() {
        List<T> all = awaitAll();
        return all.get(all.size() - 1);
    }

    @Override
    public List<T> awaitAll() {
        run.until(() -> end != null);
        run.await(OpenWait.Kind.TIMER, "", WaitEnd.of(() -> end), () -> false);
        List<T> all = new ArrayList<>(values);
        values.clear();
        end = null;
        last = null;
        return all;
    }

    @Override
    public @Nullable Instant endsAt() {
        return end;
    }
}
