package dev.dormouse.internal.engine.run;

import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.run.RunCode;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.RunRow;

/** The launcher of runs on this node. The caller has reserved a place in the {@link RunTable} for each. Thread-safe. */
public final class RunLauncher {
    private final RunParts parts;
    private final ServedCode served;

    public RunLauncher(RunParts parts, ServedCode served) {
        this.parts = parts;
        this.served = served;
    }

    /**
     * Executes a run that was started on this node. Does nothing if this node has no code for it.
     *
     * @param isFresh true if its lease is known to be new
     */
    public void started(RunRow row, Event.RunStarted first, boolean isFresh, String epoch) {
        RunCode code = served.code(row.type());
        if (code != null) {
            begin(RunExecution.started(parts, code, row, first, isFresh, epoch));
        }
    }

    /** Executes a run that was claimed. This node may lack the code of its type even if it serves its lane. */
    public void claimed(Claimed.Run run, String epoch) {
        RunCode code = served.code(run.row().type());
        begin(RunExecution.claimed(parts, code == null ? new UnknownCode(run.row()) : code, run, epoch));
    }

    /**
     * Executes a run that was in this node's memory before the store changed, and that the store still has under this
     * node's lease.
     */
    public void resumed(RunRow row, RunCode code, String epoch) {
        begin(RunExecution.resumed(parts, code, row, epoch));
    }

    /** Adds the run to the table. It starts once an earlier execution of it on this node has ended. */
    private void begin(RunExecution run) {
        LocalRun before = parts.table().put(run);
        if (before == null || !before.precede(run)) {
            run.start();
        }
    }
}
