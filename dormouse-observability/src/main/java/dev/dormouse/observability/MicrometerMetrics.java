package dev.dormouse.observability;

import dev.dormouse.DormouseBuilder;
import dev.dormouse.inspect.Monitor;
import dev.dormouse.inspect.StoreTrouble;
import dev.dormouse.plugin.Plugin;
import dev.dormouse.plugin.PluginHost;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Metrics of a node for any Micrometer registry. Thread-safe. All names begin with {@code dormouse.};
 * docs/observability.md lists them. Tags are workflow types and names of steps, never ids. The number of time series is
 * bounded: beyond 500 types, and 50 names of steps per type, the tag value is {@code other}.
 */
@SuppressWarnings("exports") // Micrometer is optional
public final class MicrometerMetrics implements Plugin, Monitor {
    private static final Duration[] LATENESS = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(10),
        Duration.ofMinutes(1)
    };

    private final MeterRegistry registry;
    private final BoundedTags tags = new BoundedTags();
    private final AtomicLong skewNanos = new AtomicLong();
    private final AtomicLong widthNanos = new AtomicLong();
    private final Map<String, AtomicInteger> waiting = new ConcurrentHashMap<>();
    private final Map<StoreTrouble, AtomicInteger> outages = new ConcurrentHashMap<>();

    private MicrometerMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /**
     * Creates the metrics for a registry. Pass them to {@link DormouseBuilder#plugin}; use one instance for each node.
     */
    public static MicrometerMetrics of(MeterRegistry registry) {
        return new MicrometerMetrics(registry);
    }

    @Override
    public void register(DormouseBuilder builder) {
        builder.monitor(this);
    }

    @Override
    public void opening(PluginHost host) {
        new ClusterGauges(host).register(registry);
        for (StoreTrouble trouble : StoreTrouble.values()) {
            outages.computeIfAbsent(trouble, this::outageGauge);
        }
        TimeGauge.builder("dormouse.clock.skew", skewNanos, TimeUnit.NANOSECONDS, AtomicLong::get)
                .description("Offset of this node's clock from the store's clock; positive if it is ahead")
                .register(registry);
        TimeGauge.builder("dormouse.clock.width", widthNanos, TimeUnit.NANOSECONDS, AtomicLong::get)
                .description("Uncertainty of the store's clock as seen by this node")
                .register(registry);
    }

    @Override
    public void runStarted(RunStarted event) {
        Counter.builder("dormouse.runs.started")
                .description("Runs started by this node")
                .tag("type", tags.type(event.type()))
                .register(registry)
                .increment();
    }

    @Override
    public void runClosed(RunClosed event) {
        Timer.builder("dormouse.runs.closed")
                .description("Closed runs, and how long they were open")
                .tag("type", tags.type(event.type()))
                .tag("status", name(event.status()))
                .register(registry)
                .record(event.open());
    }

    @Override
    public void stepEnded(StepEnded event) {
        Timer.builder("dormouse.steps")
                .description("Finished attempts of steps, and how long they took")
                .tag("type", tags.type(event.type()))
                .tag("step", tags.step(event.type(), event.step()))
                .tag("outcome", event.failure() == null ? "completed" : "failed")
                .register(registry)
                .record(event.took());
    }

    @Override
    public void timerFired(TimerFired event) {
        Timer.builder("dormouse.timer.lateness")
                .description("Delay between the due time of timers and their firing")
                .tag("reason", name(event.reason()))
                .serviceLevelObjectives(LATENESS)
                .register(registry)
                .record(event.late().isNegative() ? Duration.ZERO : event.late());
    }

    @Override
    public void replayed(Replayed event) {
        Timer.builder("dormouse.replay")
                .description("History replays, and how long they took")
                .tag("type", tags.type(event.type()))
                .register(registry)
                .record(event.took());
        DistributionSummary.builder("dormouse.replay.events")
                .description("Number of replayed events")
                .tag("type", tags.type(event.type()))
                .register(registry)
                .record(event.events());
    }

    @Override
    public void batchSent(BatchSent event) {
        Timer.builder("dormouse.batch")
                .description("Round trips to the store, and how long they took")
                .tag("kind", event.kind())
                .register(registry)
                .record(event.took());
        DistributionSummary.builder("dormouse.batch.entries")
                .description("Number of entries written in one transaction")
                .tag("kind", event.kind())
                .register(registry)
                .record(event.entries());
        waiting.computeIfAbsent(event.kind(), this::waitingGauge).set(event.waiting());
    }

    private AtomicInteger waitingGauge(String kind) {
        AtomicInteger value = new AtomicInteger();
        Gauge.builder("dormouse.batch.waiting", value, AtomicInteger::get)
                .description("Number of queued entries when the last batch was answered")
                .tag("kind", kind)
                .register(registry);
        return value;
    }

    @Override
    public void takenOver(TakenOver event) {
        Timer.builder("dormouse.takeovers")
                .description("Runs taken over from a dead node, and the time since their lease expired")
                .tag("type", tags.type(event.type()))
                .register(registry)
                .record(event.afterLease().isNegative() ? Duration.ZERO : event.afterLease());
    }

    @Override
    public void leaseLost(LeaseLost event) {
        Counter.builder("dormouse.leases.lost")
                .description("Runs of this node taken over by another node")
                .tag("type", tags.type(event.type()))
                .register(registry)
                .increment();
    }

    @Override
    public void clockSeen(ClockSeen event) {
        skewNanos.set(event.skew().toNanos());
        widthNanos.set(event.width().toNanos());
    }

    @Override
    public void outageBegan(OutageBegan event) {
        outages.computeIfAbsent(event.trouble(), this::outageGauge).incrementAndGet();
    }

    @Override
    public void outageEnded(OutageEnded event) {
        outages.computeIfAbsent(event.trouble(), this::outageGauge).decrementAndGet();
        Timer.builder("dormouse.store.outages")
                .description("Ended store outages, and how long they lasted")
                .tag("cause", name(event.trouble()))
                .register(registry)
                .record(event.lasted());
    }

    private AtomicInteger outageGauge(StoreTrouble trouble) {
        AtomicInteger value = new AtomicInteger();
        Gauge.builder("dormouse.store.outage", value, AtomicInteger::get)
                .description("1 during a store outage, otherwise 0")
                .tag("cause", name(trouble))
                .register(registry);
        return value;
    }

    private static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
