package dev.dormouse.internal.replay;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.engine.observe.LogLabels;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.run.Blocked;
import dev.dormouse.internal.run.CodeMismatch;
import dev.dormouse.internal.run.Ending;
import dev.dormouse.internal.run.Evicted;
import dev.dormouse.internal.run.RunProgress;
import dev.dormouse.internal.run.Session;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.store.run.RunRow;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A session that replays a history and executes nothing. The code runs on its own thread, so that the caller is not
 * blocked by code that does not end.
 *
 * <p>The caller's thread and the code's thread share only {@code problem}, which is written before the gate opens and
 * read after it.
 */
final class QuerySession implements Session {
    private final RunRow run;
    private final List<Event> recorded;
    private final Threads threads;
    private final Gate over;
    private volatile @Nullable Throwable problem;

    QuerySession(RunRow run, List<Event> recorded, Threads threads) {
        this.run = run;
        this.recorded = recorded;
        this.threads = threads;
        this.over = threads.newGate();
    }

    /**
     * Executes {@code code} on a new thread and waits until it returns, throws, or is abandoned. Throws the exception
     * of the code, except {@link Evicted}.
     */
    void play(Runnable code) {
        try {
            threads.startCode("query " + run.workflowId(), LogLabels.around(run, () -> {
                try {
                    code.run();
                } catch (Evicted end) {
                    // the code has reached the end of the history
                } catch (RuntimeException | Error thrown) {
                    problem = thrown;
                } finally {
                    over.open();
                }
            }));
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            throw new DormouseException(
                    ErrorCode.NOT_ANSWERED,
                    "Expected a thread to replay run " + run.runId() + ", but there is none. Try again later.",
                    noThread);
        }
        over.pass();
        if (problem instanceof RuntimeException exception) {
            throw exception;
        } else if (problem instanceof Error error) {
            throw error;
        }
    }

    @Override
    public void abandon(Throwable reason, String line, boolean isFirst) {
        problem = reason instanceof Evicted ? CodeMismatch.doesNotLeave(run, line) : reason;
        if (isFirst) {
            over.open();
        }
    }

    @Override
    public RunRow run() {
        return run;
    }

    @Override
    public List<Event> recorded() {
        return recorded;
    }

    @Override
    public boolean hasRun() {
        return RunProgress.mayHaveRun(run, recorded);
    }

    @Override
    public Map<String, Integer> decidedVersions() {
        return new HashMap<>(); // a query decides nothing
    }

    @Override
    public Instant stamp() {
        return recorded.get(recorded.size() - 1).at();
    }

    @Override
    public UUID newRunId() {
        return new UUID(0, 0);
    }

    @Override
    public boolean isServed(String type) {
        return true;
    }

    @Override
    public @Nullable String mayLog() {
        return null; // a query closes nothing
    }

    @Override
    public Event next(Blocked blocked) {
        throw new Evicted();
    }

    @Override
    public @Nullable Event close(
            List<Event> commands, List<Long> unanswered, @Nullable List<Payload> again, Ending ending) {
        throw new Evicted();
    }
}
