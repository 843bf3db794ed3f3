package dev.dormouse.internal.engine.observe;

import dev.dormouse.internal.thread.Threads;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log lines about leases that have expired: of another node, whose runs this node takes over, and of this node, whose
 * runs another node has taken over. At most one line a minute is about the same node, and at most {@value #MOST} lines a
 * minute are written in all. Thread-safe.
 */
public final class LeaseLog {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseLog.class);
    private static final int MOST = 5;
    private static final long WINDOW = Duration.ofMinutes(1).toNanos();

    private final Threads threads;
    private final NodeNames names;
    private final String nodeId;
    private final Duration leasePeriod;
    private final Map<String, Long> logged = new HashMap<>();

    public LeaseLog(Threads threads, NodeNames names, String nodeId, Duration leasePeriod) {
        this.threads = threads;
        this.names = names;
        this.nodeId = nodeId;
        this.leasePeriod = leasePeriod;
    }

    /** Logs that this node has taken over a run. */
    void takenOver(Claimed.Run run) {
        if (!run.from().isEmpty() && !run.from().equals(nodeId) && mayLog(run.from())) {
            LOG.warn(
                    "Node '{}' ({}) has crashed or is suspended: it did not renew a lease in time. This node takes over its "
                            + "runs, starting with workflow id '{}'. Nothing is lost: they resume from their last commit. "
                            + "'dormouse node list' shows whether that node is alive.",
                    names.of(run.from()),
                    run.from(),
                    run.row().workflowId());
        }
    }

    /** Logs that other nodes have taken over runs of this node. */
    void lost(List<RunRow> runs) {
        if (mayLog(nodeId)) {
            LOG.warn(
                    "This node has lost the leases of {} of its runs, including workflow id '{}', because it did not renew "
                            + "them within {}. It was suspended or could not reach the store. Nothing is lost: other nodes have "
                            + "taken over these runs and repeat what was not committed. Check this process for long pauses.",
                    runs.size(),
                    runs.get(0).workflowId(),
                    leasePeriod);
        }
    }

    private synchronized boolean mayLog(String node) {
        long now = threads.nanoTime();
        logged.values().removeIf(at -> now - at >= WINDOW);
        return logged.size() < MOST && logged.putIfAbsent(node, now) == null;
    }
}
