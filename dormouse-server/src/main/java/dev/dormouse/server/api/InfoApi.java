package dev.dormouse.server.api;

import dev.dormouse.Dormouse;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.Explanation;
import dev.dormouse.inspect.NodeProfile;
import dev.dormouse.inspect.StoreOutage;
import dev.dormouse.server.request.ApiProblem;
import dev.dormouse.server.request.TextValues;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Information about the server, and explanations of error codes. Thread-safe. The node's profile is read from the
 * store; during an outage the last one is shown.
 */
final class InfoApi {
    private final Dormouse dormouse;
    private final boolean hasDags;
    private final boolean readOnly;
    private volatile NodeProfile last;

    InfoApi(Dormouse dormouse, boolean hasDags, boolean readOnly) {
        this.dormouse = dormouse;
        this.hasDags = hasDags;
        this.readOnly = readOnly;
        this.last = dormouse.profile();
    }

    List<Route> routes() {
        return List.of(Route.get("/info", this::info), Route.get("/errors/{code}", InfoApi::explain));
    }

    private ApiResponse info(Call call) {
        List<StoreOutage> outages = dormouse.outages();
        if (outages.isEmpty()) {
            last = dormouse.profile(); // asks the store which version it has
        }
        NodeProfile node = last;
        return ApiResponse.ok(new InfoView(
                version(),
                new InfoView.StoreView(
                        node.store().kind(), node.store().name(), node.store().version()),
                dormouse.now(),
                readOnly,
                call.caller().role().name().toLowerCase(Locale.ROOT),
                call.caller().name(),
                node.workflows().keySet().stream()
                        .filter(type -> !type.endsWith(":"))
                        .toList(),
                List.copyOf(node.handlers()),
                hasDags,
                outages.stream().map(InfoView.OutageView::of).toList()));
    }

    private static ApiResponse explain(Call call) {
        String asked = call.value("code");
        ErrorCode code = Arrays.stream(ErrorCode.values())
                .filter(one -> one.label().equalsIgnoreCase(asked) || one.name().equalsIgnoreCase(asked))
                .findFirst()
                .orElseThrow(() -> ApiProblem.notFound(
                        ErrorCode.NOT_FOUND,
                        "Expected an error code such as DM1003, but there is no " + TextValues.shown(asked) + "."));
        Explanation explanation = Explanation.of(code);
        return ApiResponse.ok(
                new ErrorCodeView(code.label(), code.name(), explanation.meaning(), explanation.whatToDo()));
    }

    /** Returns the version in the jar's manifest, or {@code development} in a class folder. */
    private static String version() {
        String version = InfoApi.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    /** The explanation of an error code. */
    record ErrorCodeView(String code, String name, String meaning, String whatToDo) {}

    /**
     * Information about the server and its caller.
     *
     * @param role the caller's role
     * @param types the workflow types that are registered here
     * @param handlers the timer handlers that are registered here
     * @param dags true if the server has DAGs
     * @param outages the store's outages as this server's node sees them; known even while the store does not respond
     */
    record InfoView(
            String version,
            StoreView store,
            Instant now,
            boolean readOnly,
            String role,
            String caller,
            List<String> types,
            List<String> handlers,
            boolean dags,
            List<OutageView> outages) {

        record StoreView(String kind, String name, String version) {}

        /**
         * An outage of the store. Hosts and files are named only in the log.
         *
         * @param cause away, read_only, full, blocked or refused
         * @param text a sentence about it
         */
        record OutageView(String cause, String text, long lastingMillis) {
            static OutageView of(StoreOutage outage) {
                return new OutageView(
                        outage.trouble().name().toLowerCase(Locale.ROOT),
                        "The store " + outage.trouble().begins()
                                + ", for " + outage.lasting().toSeconds()
                                + " s. Nothing is lost: what needs the store waits. The server's log has the reason.",
                        outage.lasting().toMillis());
            }
        }
    }
}
