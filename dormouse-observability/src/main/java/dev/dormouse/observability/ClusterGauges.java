package dev.dormouse.observability;

import dev.dormouse.Dormouse;
import dev.dormouse.error.DormouseException;
import dev.dormouse.inspect.Statistics;
import dev.dormouse.plugin.PluginHost;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Gauges of cluster-wide counts: runs by state, overdue timers and nodes. The store is queried when a gauge is read, at
 * most every 5 seconds, so that one scrape of all gauges is one set of queries.
 *
 * <p>Thread-safe: readers share one snapshot under a lock. The lock is held during the queries, so that concurrent
 * scrapes wait for the same answer instead of asking again.
 */
final class ClusterGauges {
    private static final long FRESH_NANOS = Duration.ofSeconds(5).toNanos();
    private static final int MOST_FAILED = 100;

    private final PluginHost host;
    private @Nullable ClusterSnapshot last;
    private boolean isAsked;
    private long askedAt;

    private record ClusterSnapshot(Statistics.Overview overview, long alive, long gone, long failedInSql) {}

    ClusterGauges(PluginHost host) {
        this.host = host;
    }

    void register(MeterRegistry registry) {
        MultiGauge queues = MultiGauge.builder("dormouse.queue.depth")
                .description("Due runs of a queue that wait for a slot")
                .register(registry);
        host.everySweep(() -> queues.register(depths(), true));
        gauge(
                registry,
                "dormouse.runs.running",
                "Runs in the memory of a node",
                now -> now.overview().running().count());
        gauge(
                registry,
                "dormouse.runs.pending",
                "Runs that wait or have not begun",
                now -> now.overview().waiting().count());
        gauge(
                registry,
                "dormouse.runs.stuck",
                "Runs that cannot make progress without intervention",
                now -> now.overview().stuck().count());
        gauge(
                registry,
                "dormouse.timers.overdue",
                "Due alarms that have not fired",
                now -> now.overview().overdue().count());
        gauge(
                registry,
                "dormouse.sqltimers.failed",
                "SQL timers that failed recently and are not retried",
                ClusterSnapshot::failedInSql);
        gauge(registry, "dormouse.nodes.alive", "Live nodes", ClusterSnapshot::alive);
        gauge(
                registry,
                "dormouse.nodes.gone",
                "Nodes that died or stalled within the last hour",
                ClusterSnapshot::gone);
    }

    private List<MultiGauge.Row<?>> depths() {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        try {
            host.dormouse()
                    .statistics()
                    .queueDepths()
                    .forEach((queue, depth) -> rows.add(MultiGauge.Row.of(Tags.of("queue", queue), depth.count())));
        } catch (DormouseException noAnswer) {
            // without an answer there is no value
        }
        return rows;
    }

    private void gauge(
            MeterRegistry registry, String name, String description, ToDoubleFunction<ClusterSnapshot> value) {
        Gauge.builder(name, this, gauges -> gauges.value(value))
                .description(description)
                .strongReference(true)
                .register(registry);
    }

    private synchronized double value(ToDoubleFunction<ClusterSnapshot> value) {
        if (!isAsked || System.nanoTime() - askedAt > FRESH_NANOS) {
            last = ask();
            isAsked = true;
            askedAt = System.nanoTime(); // after the answer, so that a slow query is not repeated for each gauge
        }
        return last == null ? Double.NaN : value.applyAsDouble(last);
    }

    /** Returns null if the store does not respond or the node is closed. */
    private @Nullable ClusterSnapshot ask() {
        try {
            Dormouse dormouse = host.dormouse();
            if (!dormouse.outages().isEmpty()) {
                return null; // a scrape must not wait for a store that does not respond
            }
            List<Statistics.NodeInfo> nodes = dormouse.statistics().nodes();
            long alive = nodes.stream().filter(Statistics.NodeInfo::alive).count();
            int failed = dormouse.sqlTimers().failed(MOST_FAILED).size();
            return new ClusterSnapshot(dormouse.statistics().overview(), alive, nodes.size() - alive, failed);
        } catch (DormouseException noAnswer) {
            return null;
        }
    }
}
