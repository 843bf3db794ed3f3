/**
 * Metrics and spans of a node.
 *
 * <pre>{@code
 * Dormouse.builder()
 *     .with(MicrometerMetrics.of(registry))
 *     .with(OpenTelemetrySpans.of(openTelemetry))
 * }</pre>
 */
@NullMarked
package dev.dormouse.observability;

import org.jspecify.annotations.NullMarked;
