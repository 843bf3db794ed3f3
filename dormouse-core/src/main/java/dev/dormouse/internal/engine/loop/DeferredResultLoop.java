package dev.dormouse.internal.engine.loop;

import dev.dormouse.internal.engine.run.DeferredResults;
import dev.dormouse.internal.engine.run.LocalRun;
import dev.dormouse.internal.engine.run.RunTable;
import dev.dormouse.internal.thread.Loop;
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
public final class DeferredResultLoop extends Loop {
    private static final Logger LOG = LoggerFactory.getLogger(DeferredResultLoop.class);

    private final RunTable table;
    private volatile boolean requested;

    public DeferredResultLoop(Threads threads, RunTable table) {
        super(threads);
        this.table = table;
    }

    /**
     * Requests a look at all runs, because a run has deferred results. Costs one read if a look is requested already.
     */
    public void request() {
        if (!requested) {
            requested = true;
            wake();
        }
    }

    @Override
    protected void turn() {
        await();
        rest(DeferredResults.SHORTEST);
        requested = false;
        table.all(LocalRun::isLent).forEach(this::flush);
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
