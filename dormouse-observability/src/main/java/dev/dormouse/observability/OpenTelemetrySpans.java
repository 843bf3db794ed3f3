package dev.dormouse.observability;

import dev.dormouse.DormouseBuilder;
import dev.dormouse.Monitor;
import dev.dormouse.Plugin;
import dev.dormouse.PluginHost;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.time.Instant;
import java.util.UUID;

/**
 * Spans for runs and for attempts of steps. Thread-safe.
 *
 * <p>A run may take a month and pass through many processes, so that no process has its span in hand. Its trace id is its
 * run id, wherever it executes: what all nodes tell of a run comes together in one trace. A span of a step is sent when the
 * attempt has ended, the span of the run when it has closed; both are children of a span that stands for the run and is
 * never sent itself.
 */
public final class OpenTelemetrySpans implements Plugin, Monitor {
    private static final String SCOPE = "dev.dormouse";
    private static final AttributeKey<String> WORKFLOW = AttributeKey.stringKey("dormouse.workflow");
    private static final AttributeKey<String> RUN = AttributeKey.stringKey("dormouse.run");
    private static final AttributeKey<String> TYPE = AttributeKey.stringKey("dormouse.type");
    private static final AttributeKey<String> STATUS = AttributeKey.stringKey("dormouse.status");
    private static final AttributeKey<String> STEP = AttributeKey.stringKey("dormouse.step");
    private static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("dormouse.attempt");

    private final Tracer tracer;

    private OpenTelemetrySpans(Tracer tracer) {
        this.tracer = tracer;
    }

    public static OpenTelemetrySpans of(OpenTelemetry openTelemetry) {
        return new OpenTelemetrySpans(openTelemetry.getTracer(SCOPE));
    }

    @Override
    public void register(DormouseBuilder builder) {
        builder.monitor(this);
    }

    @Override
    public void opening(PluginHost host) {
        // there is nothing to prepare
    }

    @Override
    public void runClosed(RunClosed event) {
        Span span = span("run " + event.type(), event.workflowId(), event.runId(), event.type(), event.startedAt())
                .setAttribute(STATUS, event.status().name())
                .startSpan();
        switch (event.status()) {
            case FAILED, TIMED_OUT ->
                span.setStatus(StatusCode.ERROR, event.status().name());
            default -> span.setStatus(StatusCode.OK);
        }
        span.end(event.closedAt());
    }

    @Override
    public void stepEnded(StepEnded event) {
        Span span = span("step " + event.step(), event.workflowId(), event.runId(), event.type(), event.began())
                .setAttribute(STEP, event.step())
                .setAttribute(ATTEMPT, (long) event.attempt())
                .startSpan();
        if (event.failure() == null) {
            span.setStatus(StatusCode.OK);
        } else {
            span.setStatus(StatusCode.ERROR, event.failure());
        }
        span.end(event.ended());
    }

    private SpanBuilder span(String name, String workflowId, UUID runId, String type, Instant began) {
        return tracer.spanBuilder(name)
                .setParent(Context.root().with(Span.wrap(ofRun(runId))))
                .setSpanKind(SpanKind.INTERNAL)
                .setStartTimestamp(began)
                .setAttribute(WORKFLOW, workflowId)
                .setAttribute(RUN, runId.toString())
                .setAttribute(TYPE, type);
    }

    /** The same on every node. */
    private static SpanContext ofRun(UUID runId) {
        String trace = hex(runId.getMostSignificantBits()) + hex(runId.getLeastSignificantBits());
        return SpanContext.createFromRemoteParent(
                trace, hex(runId.getLeastSignificantBits()), TraceFlags.getSampled(), TraceState.getDefault());
    }

    private static String hex(long bits) {
        return String.format("%016x", bits);
    }
}
