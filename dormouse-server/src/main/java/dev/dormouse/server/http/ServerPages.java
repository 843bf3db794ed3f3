package dev.dormouse.server.http;

import dev.dormouse.Dormouse;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.ListOptions;
import dev.dormouse.inspect.StoreOutage;
import dev.dormouse.server.api.ApiResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Supplier;

/** Everything outside the API: the dashboard, health, metrics, and the OpenAPI document. */
final class ServerPages {
    private final Dormouse dormouse;
    private final Supplier<String> metrics;
    private final Dashboard dashboard = new Dashboard();
    private final StaticFiles documents = new StaticFiles("dev/dormouse/server/");

    ServerPages(Dormouse dormouse, Supplier<String> metrics) {
        this.dormouse = dormouse;
        this.metrics = metrics;
    }

    /** Returns true for the health check, which responds as long as the process lives, whatever else waits. */
    boolean isHealth(HttpRequest request) {
        return request.isRead() && request.path().equals("/healthz");
    }

    /** Returns true for files. They cost next to nothing, so the rate limit does not count them. */
    boolean isInMemory(HttpRequest request) {
        return request.isRead()
                && !request.path().equals("/readyz")
                && !request.path().equals("/metrics");
    }

    ApiResponse get(HttpRequest request) {
        if (!request.isRead()) {
            throw RequestRefused.with(405, ErrorCode.METHOD_NOT_ALLOWED, "Expected GET, but got another method.")
                    .header("Allow", "GET, HEAD");
        }
        return switch (request.path()) {
            case "/healthz" -> text("ok\n");
            case "/readyz" -> ready();
            case "/openapi.json" -> documents.get("openapi.json", request.header("If-None-Match"), false);
            default -> dashboard.get(request.path(), request.header("If-None-Match"));
        };
    }

    ApiResponse metrics() {
        return text(metrics.get());
    }

    /**
     * The server is ready if its store can be read and written. Everyone may read the reason, so it contains no names.
     */
    private ApiResponse ready() {
        for (StoreOutage outage : dormouse.outages()) {
            return ApiResponse.refusal(
                    503,
                    ErrorCode.STORE_UNAVAILABLE,
                    "Expected a store that can be read and written, but it "
                            + outage.trouble().begins() + ", for "
                            + outage.lasting().toSeconds()
                            + " s. The log has the reason.");
        }
        try {
            dormouse.list(ListOptions.ALL.withLimit(1));
            return text("ready\n");
        } catch (DormouseException noAnswer) {
            return ApiResponse.refusal(
                    503, noAnswer.code(), "Expected a store that answers, but it does not. The log has the reason.");
        }
    }

    private static ApiResponse text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new ApiResponse(200, "text/plain; charset=utf-8", bytes, Map.of(), "");
    }
}
