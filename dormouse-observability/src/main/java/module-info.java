/** Metrics for Micrometer and spans for OpenTelemetry. A program needs only the library that it uses. */
module dev.dormouse.observability {
    requires transitive dev.dormouse;
    requires static io.opentelemetry.api;
    requires static io.opentelemetry.context;
    requires static micrometer.core;
    requires static transitive org.jspecify;

    exports dev.dormouse.observability;
}
