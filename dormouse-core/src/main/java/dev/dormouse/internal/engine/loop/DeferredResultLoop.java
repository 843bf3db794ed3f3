package dev.dormouse.internal.engine.loop;

import dev.dormouse.internal.engine.run.DeferredResults;
import dev.dormouse.internal.engine.run.LocalRun;
import dev.dormouse.internal.engine.run.RunTable;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.internal.thread.Threads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commits results that have waited long enough while their runs execute the next step; see {@link DeferredResults}. */
public final class DeferredResultLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(DeferredResultLoop.class);

    private final RunTable table;
    private final Gate gate;
    private final Gate end;
    private volatile boolean wanted;
    private volatile boolean closed;

    public DeferredResultLoop(Threads threads, RunTable table) {
        this.table = table;
        this.gate = threads.newGate();
        this.end = threads.newGate();
    }

    /** Some run has lent its log out. Any thread may say so, and costs next to nothing where somebody just has. */
    public void want() {
        if (!wanted) {
            wanted = true;
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
            wanted = false;
            table.all(LocalRun::isLent).forEach(this::flush);
        }
    }

    private void flush(LocalRun run) {
        try {
            if (run.flush(DeferredResults.SHORTEST)) {
                want();
            }
        } catch (RuntimeException | LinkageError | OutOfMemoryError problem) {
            LOG.error("Committing results of run {} failed; they wait on", run.runId(), problem);
        }
    }
}
