package dev.dormouse.server.api;

import dev.dormouse.Dormouse;
import dev.dormouse.dag.Dags;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.request.ApiProblem;
import dev.dormouse.server.request.QueryParameters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The API behind the HTTP server: maps an {@link ApiRequest} to an {@link ApiResponse}, without a network. Thread-safe;
 * answers on the calling thread. Never throws because of a request: client errors and failures become responses with a
 * status of 400 or higher and an error code.
 */
public final class Api {
    private static final Duration WAITS_WITHIN = Duration.ofMillis(500);

    private final Router router;
    private final boolean readOnly;

    /**
     * Creates an API for a Dormouse.
     *
     * @param dags null if the Dormouse has none
     * @param readOnly true to refuse all requests that change something
     */
    public Api(Dormouse dormouse, @Nullable Dags dags, boolean readOnly) {
        this(dormouse, dags, readOnly, WAITS_WITHIN);
    }

    /**
     * Creates an API for a Dormouse, with a time limit for the waits of a run.
     *
     * @param dags null if the Dormouse has none
     * @param readOnly true to refuse all requests that change something
     * @param waitsWithin the longest time that the description of a run waits for a node to report what the run waits for.
     *     Default: 500 ms
     */
    public Api(Dormouse dormouse, @Nullable Dags dags, boolean readOnly, Duration waitsWithin) {
        this.readOnly = readOnly;
        List<Route> routes = new ArrayList<>();
        RunLookup runs = new RunLookup(dormouse);
        LongPolls waits = new LongPolls();
        routes.addAll(new InfoApi(dormouse, dags != null, readOnly).routes());
        routes.addAll(new OverviewApi(dormouse.statistics()).routes());
        routes.addAll(new RunsApi(dormouse, runs, waitsWithin).routes());
        routes.addAll(new HistoryApi(runs).routes());
        routes.addAll(new MessagesApi(runs, waits, dormouse::now).routes());
        routes.addAll(new LifecycleApi(runs, waits).routes());
        routes.addAll(new BatchApi(runs).routes());
        routes.addAll(new TimersApi(dormouse).routes());
        routes.addAll(new SqlTimersApi(dormouse).routes());
        routes.addAll(new SchedulesApi(dormouse, waits).routes());
        routes.addAll(new EventsApi(dormouse).routes());
        routes.addAll(new DagsApi(dags, waits).routes());
        routes.addAll(new ApprovalsApi(dags, waits).routes());
        this.router = new Router(routes);
    }

    public Router router() {
        return router;
    }

    /** Answers a request. */
    public ApiResponse handle(ApiRequest request) {
        Router.Match match;
        try {
            match = router.find(request.method(), request.path());
        } catch (ApiProblem nowhere) {
            return ErrorResponses.of(nowhere);
        }
        ApiResponse response = answer(request, match);
        if (match.route().changes()) {
            AuditLog.write(request.caller(), match, response);
        }
        return response;
    }

    private ApiResponse answer(ApiRequest request, Router.Match match) {
        try {
            check(match.route(), request.caller());
            QueryParameters params =
                    new QueryParameters(request.query(), match.route().parameters());
            return match.route().handler().answer(new Call(match.values(), params, request.body(), request.caller()));
        } catch (ApiProblem problem) {
            return ErrorResponses.of(problem);
        } catch (DormouseException problem) {
            return ErrorResponses.of(problem);
        } catch (RuntimeException | StackOverflowError problem) {
            return ErrorResponses.unexpected(
                    request.method() + " " + match.route().pattern(), problem);
        }
    }

    private void check(Route route, Caller caller) {
        if (!caller.role().covers(route.role())) {
            throw new ApiProblem(
                    403,
                    ErrorCode.ROLE_MISSING,
                    "Expected a caller with the role " + route.role() + ", but '" + caller.name() + "' is "
                            + caller.role() + ". Use a token with that role.",
                    null);
        } else if (readOnly && route.changes()) {
            throw new ApiProblem(
                    403,
                    ErrorCode.SERVER_READ_ONLY,
                    "Expected a server that accepts changes, but this one is read-only. Use another one.",
                    null);
        }
    }
}
