package dev.dormouse.observability;

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
 * that one look at all gauges is one question.
 */
final class StandingGauges {
    private static final long FRESH_NANOS = Duration.ofSeconds(5).toNanos();

    private final PluginHost host;
    private Pulse.@Nullable Overview last;
    private long askedAt;

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
                pulse -> pulse.running().count());
        gauge(
                registry,
                "dormouse.runs.pending",
                "Runs that wait, or have not begun",
                pulse -> pulse.waiting().count());
        gauge(
                registry,
                "dormouse.runs.stuck",
                "Runs that cannot go on as things are",
                pulse -> pulse.stuck().count());
        gauge(
                registry,
                "dormouse.timers.overdue",
                "Alarms that nobody has acted on",
                pulse -> pulse.overdue().count());
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

    private void gauge(
            MeterRegistry registry, String name, String description, ToDoubleFunction<Pulse.Overview> value) {
        Gauge.builder(name, this, gauges -> gauges.value(value))
                .description(description)
                .strongReference(true)
                .register(registry);
    }

    private synchronized double value(ToDoubleFunction<Pulse.Overview> value) {
        long now = System.nanoTime();
        if (last == null || now - askedAt > FRESH_NANOS) {
            askedAt = now;
            last = ask();
        }
        return last == null ? Double.NaN : value.applyAsDouble(last);
    }

    /** Null where the store does not answer, or the node is closed: then there is nothing to tell. */
    private Pulse.@Nullable Overview ask() {
        try {
            return host.dormouse().pulse().overview();
        } catch (DormouseException noAnswer) {
            return null;
        }
    }
}
