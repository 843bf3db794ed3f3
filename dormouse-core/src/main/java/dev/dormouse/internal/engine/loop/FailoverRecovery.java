package dev.dormouse.internal.engine.loop;

import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.run.LocalRun;
import dev.dormouse.internal.engine.run.RunExecution;
import dev.dormouse.internal.engine.run.RunHost;
import dev.dormouse.internal.engine.run.RunLauncher;
import dev.dormouse.internal.engine.run.RunTable;
import dev.dormouse.internal.engine.run.ServedCode;
import dev.dormouse.internal.run.RunCode;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.RunRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The runs that left this node's memory because a commit or a renewal was refused: their lease is lost, or a failover
 * may have changed them in the store. A failover does not end leases: a run that the store still has under its lease
 * resumes at once, from the store's state. It does not wait until the lease expires.
 *
 * <p>This is safe, because only one execution of one run uses a lease id. No other node can hold it, and the epoch
 * fences the commits of the previous execution. That execution ends before the next one begins ({@link
 * RunExecution#precede}).
 *
 * <p>Thread-safe: any thread may report a run. Runs resume on the alarm loop's thread, in a sweep.
 */
public final class FailoverRecovery {
    private final NodeContext context;
    private final RunHost host;
    private final RunTable table;
    private final ServedCode served;
    private final RunLauncher launcher;
    private final QueueLoop queues;
    private final Map<UUID, Lost> runs = new LinkedHashMap<>();

    private record Lost(int shard, Set<Long> leases) {}

    public FailoverRecovery(
            NodeContext context,
            RunHost host,
            RunTable table,
            ServedCode served,
            RunLauncher launcher,
            QueueLoop queues) {
        this.context = context;
        this.host = host;
        this.table = table;
        this.served = served;
        this.launcher = launcher;
        this.queues = queues;
    }

    /** Records a run that has lost its lease, and requests a sweep, which sees whether another node has it. */
    public void fenced(int shard, UUID runId, Set<Long> leases) {
        lost(runId, shard, leases);
        host.sweepNow();
    }

    /** Records a run that leaves memory although its row may still be under one of these leases. */
    public synchronized void lost(UUID runId, int shard, Set<Long> leases) {
        runs.put(runId, new Lost(shard, leases));
    }

    /** Resumes the runs of a shard that this node still holds. Must be called after the store's epoch was checked. */
    void resumeAll(int shard) {
        Map<UUID, Lost> some = take(shard);
        if (some.isEmpty() || context.isClosed()) {
            return;
        }
        List<RunRow> takenOver = new ArrayList<>();
        String epoch = context.epoch(shard);
        try {
            for (RunRow row : context.store().runs(shard, List.copyOf(some.keySet()))) {
                Lost lost = some.get(row.runId());
                if (lost != null && isOwn(row, lost)) {
                    resume(row, epoch);
                } else if (isElsewhere(row)) {
                    takenOver.add(row);
                }
                some.remove(row.runId());
            }
        } catch (StoreException noAnswer) {
            giveBack(some);
            throw noAnswer;
        } finally {
            if (!takenOver.isEmpty()) {
                context.telemetry().leasesLost(takenOver);
            }
        }
    }

    private synchronized Map<UUID, Lost> take(int shard) {
        Map<UUID, Lost> some = new LinkedHashMap<>();
        for (Map.Entry<UUID, Lost> run : new ArrayList<>(runs.entrySet())) {
            if (run.getValue().shard == shard) {
                some.put(run.getKey(), run.getValue());
                runs.remove(run.getKey());
            }
        }
        return some;
    }

    private synchronized void giveBack(Map<UUID, Lost> some) {
        some.forEach(runs::putIfAbsent);
    }

    /** Returns true if another node holds the run. */
    private boolean isElsewhere(RunRow row) {
        return !row.status().isClosed()
                && !row.owner().isEmpty()
                && !row.owner().equals(context.nodeId());
    }

    private boolean isOwn(RunRow row, Lost lost) {
        LocalRun here = table.get(row.runId());
        return (here == null || here.isOver())
                && !row.status().isClosed()
                && row.owner().equals(context.nodeId())
                && row.lease() != RunRow.NO_LEASE
                && lost.leases.contains(row.lease());
    }

    private void resume(RunRow row, String epoch) {
        RunCode code = served.code(row.type());
        if (code != null) {
            table.reserveAgain();
            queues.resumed(row.lane());
            launcher.resumed(row, code, epoch);
        }
    }
}
