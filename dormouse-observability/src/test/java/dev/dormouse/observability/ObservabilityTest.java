package dev.dormouse.observability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.RetryPolicy;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.Monitor;
import dev.dormouse.inspect.StoreTrouble;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The metrics and spans of a real node with real runs. */
class ObservabilityTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final AtomicInteger attempts = new AtomicInteger();

    private OpenTelemetrySdk telemetry() {
        return OpenTelemetrySdk.builder()
                .setTracerProvider(SdkTracerProvider.builder()
                        .addSpanProcessor(SimpleSpanProcessor.create(spans))
                        .build())
                .build();
    }

    private Dormouse open() {
        return Dormouse.builder()
                .store("sqlite::memory:")
                .plugin(MicrometerMetrics.of(registry))
                .plugin(OpenTelemetrySpans.of(telemetry()))
                .workflow("order", String.class, String.class, (ctx, text) -> {
                    ActivityOptions soon = ActivityOptions.DEFAULT.withRetry(
                            RetryPolicy.DEFAULT.withInitialInterval(Duration.ofMillis(10)));
                    ctx.step("charge", soon, () -> {
                        if (attempts.incrementAndGet() == 1) {
                            throw new IllegalStateException("no answer");
                        }
                    });
                    ctx.sleep(Duration.ofMillis(20));
                    return text;
                })
                .open();
    }

    @Test
    void outagesOfTheStoreAreMeasured() {
        MicrometerMetrics metrics = MicrometerMetrics.of(registry);
        metrics.outageBegan(new Monitor.OutageBegan(StoreTrouble.FULL, "no space"));
        assertThat(registry.get("dormouse.store.outage")
                        .tag("cause", "full")
                        .gauge()
                        .value())
                .isEqualTo(1);
        metrics.outageEnded(new Monitor.OutageEnded(StoreTrouble.FULL, Duration.ofSeconds(3)));
        assertThat(registry.get("dormouse.store.outage")
                        .tag("cause", "full")
                        .gauge()
                        .value())
                .isZero();
        assertThat(registry.get("dormouse.store.outages")
                        .tag("cause", "full")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void runsStepsAndTimersAreMeasured() {
        try (Dormouse dormouse = open()) {
            dormouse.start("order", "o-1", String.class, "x").result(LONG);
            await().atMost(LONG)
                    .until(() -> registry.find("dormouse.runs.closed").timer() != null);
            assertThat(registry.get("dormouse.runs.started")
                            .tag("type", "order")
                            .counter()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("dormouse.runs.closed")
                            .tag("status", "completed")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("dormouse.steps")
                            .tag("outcome", "failed")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("dormouse.steps")
                            .tag("outcome", "completed")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("dormouse.timer.lateness").timers()).isNotEmpty();
            assertThat(registry.get("dormouse.batch.entries").summaries()).isNotEmpty();
            assertThat(registry.get("dormouse.clock.skew").timeGauge()).isNotNull();
            assertThat(registry.get("dormouse.runs.pending").gauge().value()).isZero();
        }
        assertThat(registry.get("dormouse.runs.stuck").gauge().value()).isZero();
    }

    @Test
    void runAndItsStepsAreOneTrace() {
        try (Dormouse dormouse = open()) {
            WorkflowHandle<String> handle = dormouse.start("order", "o-1", String.class, "x");
            handle.result(LONG);
            await().atMost(LONG).until(() -> spans.getFinishedSpanItems().size() == 3);
            List<SpanData> all = spans.getFinishedSpanItems();
            String trace = handle.runId().toString().replace("-", "");
            assertThat(all).allSatisfy(span -> assertThat(span.getTraceId()).isEqualTo(trace));
            assertThat(all)
                    .extracting(SpanData::getName)
                    .containsExactlyInAnyOrder("step charge", "step charge", "run order");
            SpanData failed = all.get(0);
            assertThat(failed.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
            assertThat(failed.getStatus().getDescription()).contains("no answer");
            assertThat(failed.getEndEpochNanos()).isGreaterThanOrEqualTo(failed.getStartEpochNanos());
        }
    }
}
