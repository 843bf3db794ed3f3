/** Metrics for Micrometer and spans for OpenTelemetry. A program needs only the library that it uses. */
@SuppressWarnings("requires-transitive-automatic") // both libraries have fixed their names
module dev.dormouse.observability {
    requires transitive dev.dormouse;
    requires static transitive io.opentelemetry.api;
    requires static io.opentelemetry.context;
    requires static transitive micrometer.core;
    requires static transitive org.jspecify;

    exports dev.dormouse.observability;
}
