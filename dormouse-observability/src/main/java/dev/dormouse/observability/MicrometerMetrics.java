package dev.dormouse.observability;

import dev.dormouse.DormouseBuilder;
import dev.dormouse.Monitor;
import dev.dormouse.Plugin;
import dev.dormouse.PluginHost;
import dev.dormouse.store.StoreTrouble;
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
 * Metrics of a node, for any registry of Micrometer. Thread-safe. All names begin with {@code dormouse.};
 * docs/observability.md lists them. Tags are workflow types and names of steps, never ids. The number of series is bounded:
 * beyond 500 types, and 50 names of steps for each type, the value of the tag is {@code other}.
 */
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

    public static MicrometerMetrics of(MeterRegistry registry) {
        return new MicrometerMetrics(registry);
    }

    @Override
    public void register(DormouseBuilder builder) {
        builder.monitor(this);
    }

    @Override
    public void opening(PluginHost host) {
        new StandingGauges(host).register(registry);
        for (StoreTrouble trouble : StoreTrouble.values()) {
            outages.computeIfAbsent(trouble, this::outageGauge);
        }
        TimeGauge.builder("dormouse.clock.skew", skewNanos, TimeUnit.NANOSECONDS, AtomicLong::get)
                .description("How far this node's clock is ahead of the store's")
                .register(registry);
        TimeGauge.builder("dormouse.clock.width", widthNanos, TimeUnit.NANOSECONDS, AtomicLong::get)
                .description("How closely the store's clock is known")
                .register(registry);
    }

    @Override
    public void runStarted(RunStarted event) {
        Counter.builder("dormouse.runs.started")
                .description("Runs that were started here")
                .tag("type", tags.type(event.type()))
                .register(registry)
                .increment();
    }

    @Override
    public void runClosed(RunClosed event) {
        Timer.builder("dormouse.runs.closed")
                .description("Runs that have ended, and how long they were open")
                .tag("type", tags.type(event.type()))
                .tag("status", name(event.status()))
                .register(registry)
                .record(event.open());
    }

    @Override
    public void stepEnded(StepEnded event) {
        Timer.builder("dormouse.steps")
                .description("Attempts of steps that have ended, and how long they took")
                .tag("type", tags.type(event.type()))
                .tag("step", tags.step(event.type(), event.step()))
                .tag("outcome", event.failure() == null ? "completed" : "failed")
                .register(registry)
                .record(event.took());
    }

    @Override
    public void timerFired(TimerFired event) {
        Timer.builder("dormouse.timer.lateness")
                .description("How late alarms were acted on that users have set")
                .tag("reason", name(event.reason()))
                .serviceLevelObjectives(LATENESS)
                .register(registry)
                .record(event.late().isNegative() ? Duration.ZERO : event.late());
    }

    @Override
    public void replayed(Replayed event) {
        Timer.builder("dormouse.replay")
                .description("Replays of histories, and how long they took")
                .tag("type", tags.type(event.type()))
                .register(registry)
                .record(event.took());
        DistributionSummary.builder("dormouse.replay.events")
                .description("How many events were replayed")
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
                .description("How many entries went together in one transaction")
                .tag("kind", event.kind())
                .register(registry)
                .record(event.entries());
        waiting.computeIfAbsent(event.kind(), this::waitingGauge).set(event.waiting());
    }

    private AtomicInteger waitingGauge(String kind) {
        AtomicInteger value = new AtomicInteger();
        Gauge.builder("dormouse.batch.waiting", value, AtomicInteger::get)
                .description("How many entries had piled up when the last batch was answered")
                .tag("kind", kind)
                .register(registry);
        return value;
    }

    @Override
    public void takenOver(TakenOver event) {
        Timer.builder("dormouse.takeovers")
                .description("Runs that were taken over from a node that was gone, and how long after its lease")
                .tag("type", tags.type(event.type()))
                .register(registry)
                .record(event.afterLease().isNegative() ? Duration.ZERO : event.afterLease());
    }

    @Override
    public void leaseLost(LeaseLost event) {
        Counter.builder("dormouse.leases.lost")
                .description("Runs of this node that another node has taken over")
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
                .description("Outages of the store that are over, and how long they lasted")
                .tag("cause", name(event.trouble()))
                .register(registry)
                .record(event.lasted());
    }

    private AtomicInteger outageGauge(StoreTrouble trouble) {
        AtomicInteger value = new AtomicInteger();
        Gauge.builder("dormouse.store.outage", value, AtomicInteger::get)
                .description("1 while the store cannot be used as it should")
                .tag("cause", name(trouble))
                .register(registry);
        return value;
    }

    private static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
