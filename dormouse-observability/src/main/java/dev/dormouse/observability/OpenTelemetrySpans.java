package dev.dormouse.observability;

import dev.dormouse.DormouseBuilder;
import dev.dormouse.inspect.Monitor;
import dev.dormouse.plugin.Plugin;
import dev.dormouse.plugin.PluginHost;
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
 * OpenTelemetry spans for runs and for attempts of steps. Thread-safe.
 *
 * <p>A run may take a month and pass through many processes, so no process holds its span. Its trace id is its run id
 * on every node, so that all spans of a run belong to one trace. The span of a step is sent when the attempt ends, the
 * span of the run when it closes. Both are children of a span that represents the run and is never sent itself.
 */
@SuppressWarnings("exports") // OpenTelemetry is optional
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

    /** Creates the spans for an OpenTelemetry SDK. Pass them to {@link DormouseBuilder#plugin}. */
    public static OpenTelemetrySpans of(OpenTelemetry openTelemetry) {
        return new OpenTelemetrySpans(openTelemetry.getTracer(SCOPE));
    }

    @Override
    public void register(DormouseBuilder builder) {
        builder.monitor(this);
    }

    @Override
    public void opening(PluginHost host) {
        // nothing to prepare
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

    /** Returns the parent span of a run, which is equal on every node. */
    private static SpanContext ofRun(UUID runId) {
        String trace = hex(runId.getMostSignificantBits()) + hex(runId.getLeastSignificantBits());
        return SpanContext.createFromRemoteParent(
                trace, hex(runId.getLeastSignificantBits()), TraceFlags.getSampled(), TraceState.getDefault());
    }

    private static String hex(long bits) {
        return String.format("%016x", bits);
    }
}
