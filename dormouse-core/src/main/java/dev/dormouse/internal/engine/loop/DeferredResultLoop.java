package dev.dormouse.internal.engine.loop;

import dev.dormouse.internal.engine.run.DeferredResults;
import dev.dormouse.internal.engine.run.LocalRun;
import dev.dormouse.internal.engine.run.RunTable;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.internal.thread.Threads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop that commits deferred results of runs that execute their next step; see {@link DeferredResults}.
 *
 * <p>Any thread may call {@link #request} and {@link #close}. Guaranteed: the loop looks at all runs after each
 * request, about {@link DeferredResults#SHORTEST} later. A request during a look causes another one, because the flag
 * is reset before the look.
 */
public final class DeferredResultLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(DeferredResultLoop.class);

    private final RunTable table;
    private final Gate gate;
    private final Gate end;
    private volatile boolean requested;
    private volatile boolean closed;

    public DeferredResultLoop(Threads threads, RunTable table) {
        this.table = table;
        this.gate = threads.newGate();
        this.end = threads.newGate();
    }

    /**
     * Requests a look at all runs, because a run has deferred results. Costs one read if a look is requested already.
     */
    public void request() {
        if (!requested) {
            requested = true;
            gate.open();
        }
    }

    public void close() {
        closed = true;
        gate.open();
        end.open();
    }

    @Override
    public void run() {
        while (!closed) {
            gate.pass();
            end.pass(DeferredResults.SHORTEST);
            requested = false;
            table.all(LocalRun::isLent).forEach(this::flush);
        }
    }

    private void flush(LocalRun run) {
        try {
            if (run.flush(DeferredResults.SHORTEST)) {
                request();
            }
        } catch (RuntimeException | LinkageError | OutOfMemoryError problem) {
            LOG.error("Committing results of run {} failed; they are committed later", run.runId(), problem);
        }
    }
}
