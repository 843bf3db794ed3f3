package dev.dormouse.observability;

import dev.dormouse.Dormouse;
import dev.dormouse.PluginHost;
import dev.dormouse.Pulse;
import dev.dormouse.error.DormouseException;
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
 * How many runs stand where, of all nodes together. The store is asked when somebody looks, at most every few seconds, so
 * that one look at all gauges is one round of questions.
 */
final class StandingGauges {
    private static final long FRESH_NANOS = Duration.ofSeconds(5).toNanos();
    private static final int MOST_FAILED = 100;

    private final PluginHost host;
    private @Nullable Standing last;
    private boolean isAsked;
    private long askedAt;

    private record Standing(Pulse.Overview overview, long alive, long gone, long failedInSql) {}

    StandingGauges(PluginHost host) {
        this.host = host;
    }

    void register(MeterRegistry registry) {
        MultiGauge queues = MultiGauge.builder("dormouse.queue.depth")
                .description("Runs of a queue that are due and wait for room")
                .register(registry);
        host.nowAndThen(() -> queues.register(depths(), true));
        gauge(
                registry,
                "dormouse.runs.running",
                "Runs in the memory of a node",
                now -> now.overview().running().count());
        gauge(
                registry,
                "dormouse.runs.pending",
                "Runs that wait, or have not begun",
                now -> now.overview().waiting().count());
        gauge(
                registry,
                "dormouse.runs.stuck",
                "Runs that cannot go on as things are",
                now -> now.overview().stuck().count());
        gauge(
                registry,
                "dormouse.timers.overdue",
                "Alarms that nobody has acted on",
                now -> now.overview().overdue().count());
        gauge(
                registry,
                "dormouse.sqltimers.failed",
                "SQL timers that have failed lately and are not tried again",
                Standing::failedInSql);
        gauge(registry, "dormouse.nodes.alive", "Nodes that were seen lately", Standing::alive);
        gauge(registry, "dormouse.nodes.gone", "Nodes that died or stood still within the last hour", Standing::gone);
    }

    private List<MultiGauge.Row<?>> depths() {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        try {
            host.dormouse()
                    .pulse()
                    .queueDepths()
                    .forEach((queue, depth) -> rows.add(MultiGauge.Row.of(Tags.of("queue", queue), depth.count())));
        } catch (DormouseException noAnswer) {
            // what cannot be asked is not told
        }
        return rows;
    }

    private void gauge(MeterRegistry registry, String name, String description, ToDoubleFunction<Standing> value) {
        Gauge.builder(name, this, gauges -> gauges.value(value))
                .description(description)
                .strongReference(true)
                .register(registry);
    }

    private synchronized double value(ToDoubleFunction<Standing> value) {
        if (!isAsked || System.nanoTime() - askedAt > FRESH_NANOS) {
            last = ask();
            isAsked = true;
            askedAt =
                    System.nanoTime(); // after the answer: a question that took long is not asked again for each gauge
        }
        return last == null ? Double.NaN : value.applyAsDouble(last);
    }

    /** Null where the store does not answer, or the node is closed: then there is nothing to tell. */
    private @Nullable Standing ask() {
        try {
            Dormouse dormouse = host.dormouse();
            if (!dormouse.outages().isEmpty()) {
                return null; // a scrape must not wait for a store that does not answer
            }
            List<Pulse.NodeInfo> nodes = dormouse.pulse().nodes();
            long alive = nodes.stream().filter(Pulse.NodeInfo::alive).count();
            int failed = dormouse.timersInSql().failed(MOST_FAILED).size();
            return new Standing(dormouse.pulse().overview(), alive, nodes.size() - alive, failed);
        } catch (DormouseException noAnswer) {
            return null;
        }
    }
}
