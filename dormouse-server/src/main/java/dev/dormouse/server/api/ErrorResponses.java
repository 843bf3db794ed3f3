package dev.dormouse.server.api;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.UpdateFailedException;
import dev.dormouse.server.request.ApiProblem;
import dev.dormouse.server.request.OncePerMinute;
import dev.dormouse.server.view.ErrorView;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Error responses: an HTTP status for each error code, and never a stack trace. */
final class ErrorResponses {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorResponses.class);
    private static final Map<ErrorCode, Integer> STATUS = statuses();

    /** Dashboards poll every second, even during an outage. */
    private static final OncePerMinute UNAVAILABLE = new OncePerMinute(System::nanoTime);

    private ErrorResponses() {}

    static ApiResponse of(DormouseException problem) {
        int status = problem instanceof UpdateFailedException ? 422 : status(problem.code());
        if (status == 503 && UNAVAILABLE.isDue()) {
            LOG.warn(
                    "A request failed because the store or the node does not respond: {}. Further failures are not "
                            + "logged for a minute.",
                    problem.getMessage());
        }
        return response(status, problem.code(), problem.getMessage(), null);
    }

    static ApiResponse of(ApiProblem problem) {
        ApiResponse response = ApiResponse.of(problem.status(), new ErrorView(problem.view()));
        return problem.status() == 429 ? response.with("Retry-After", "1") : response;
    }

    static ApiResponse unexpected(String what, Throwable problem) {
        LOG.error("Request {} failed", what, problem);
        return response(
                500,
                ErrorCode.SERVER_FAILED,
                "[" + ErrorCode.SERVER_FAILED.label() + "] Expected an answer, but the server failed. Its log has the "
                        + "reason.",
                null);
    }

    static ApiResponse response(int status, ErrorCode code, String message, @Nullable String path) {
        return ApiResponse.of(status, new ErrorView(ErrorView.Problem.of(code, message, path)));
    }

    static int status(ErrorCode code) {
        Integer known = STATUS.get(code);
        if (known != null) {
            return known;
        } else if (code.isMistake()) {
            return 400;
        }
        return code.label().startsWith("DM2") ? 503 : 409;
    }

    private static Map<ErrorCode, Integer> statuses() {
        Map<ErrorCode, Integer> map = new EnumMap<>(ErrorCode.class);
        map.put(ErrorCode.RUN_NOT_FOUND, 404);
        map.put(ErrorCode.SCHEDULE_NOT_FOUND, 404);
        map.put(ErrorCode.DAG_NOT_FOUND, 404);
        map.put(ErrorCode.TIMER_NOT_FOUND, 404);
        map.put(ErrorCode.NOT_FOUND, 404);
        map.put(ErrorCode.BAD_REQUEST, 400);
        map.put(ErrorCode.NOT_SUPPORTED_BY_STORE, 400);
        map.put(ErrorCode.PAYLOAD_TOO_LARGE, 413);
        map.put(ErrorCode.REQUEST_TOO_LARGE, 413);
        map.put(ErrorCode.NOT_JSON, 415);
        map.put(ErrorCode.TIMER_REFUSED, 409);
        map.put(ErrorCode.DAG_CHANGED, 409);
        map.put(ErrorCode.DORMOUSE_CLOSED, 503);
        map.put(ErrorCode.PROMISE_TIMEOUT, 504);
        map.put(ErrorCode.RESULT_TIMEOUT, 504);
        map.put(ErrorCode.NOT_ANSWERED, 504);
        map.put(ErrorCode.QUERY_FAILED, 422);
        map.put(ErrorCode.UPDATE_REJECTED, 422);
        map.put(ErrorCode.UPDATE_FAILED, 422);
        map.put(ErrorCode.METHOD_NOT_ALLOWED, 405);
        map.put(ErrorCode.NOT_AUTHENTICATED, 401);
        map.put(ErrorCode.ROLE_MISSING, 403);
        map.put(ErrorCode.FORGED_REQUEST, 403);
        map.put(ErrorCode.SERVER_READ_ONLY, 403);
        map.put(ErrorCode.READ_ONLY, 403);
        map.put(ErrorCode.TOO_MANY_REQUESTS, 429);
        map.put(ErrorCode.SERVER_FAILED, 500);
        return map;
    }
}
