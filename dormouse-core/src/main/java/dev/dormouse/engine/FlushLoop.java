package dev.dormouse.engine;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commits results that have waited long enough while their runs execute the next step; see {@link LateResults}. */
final class FlushLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(FlushLoop.class);

    private final NodeContext context;
    private final RunTable table;
    private final Gate gate;
    private final Gate end;
    private volatile boolean wanted;
    private volatile boolean closed;

    FlushLoop(NodeContext context, RunTable table) {
        this.context = context;
        this.table = table;
        this.gate = context.threads().newGate();
        this.end = context.threads().newGate();
    }

    /** Some run has lent its log out. Any thread may say so, and costs next to nothing where somebody just has. */
    void want() {
        if (!wanted) {
            wanted = true;
            gate.open();
        }
    }

    void close() {
        closed = true;
        gate.open();
        end.open();
    }

    @Override
    public void run() {
        while (!closed) {
            gate.pass();
            end.pass(LateResults.SHORTEST);
            wanted = false;
            table.all(LocalRun::isLent).forEach(this::flush);
        }
    }

    private void flush(LocalRun run) {
        try {
            if (run.flush(LateResults.SHORTEST)) {
                want();
            }
        } catch (RuntimeException | LinkageError | OutOfMemoryError problem) {
            LOG.error("Committing results of run {} failed; they wait on", run.runId(), problem);
        }
    }
}
