package dev.dormouse.server.api;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.request.ApiJson;
import java.util.Map;

/**
 * A response of the API.
 *
 * @param status the HTTP status
 * @param headers all headers except the content type
 * @param subject the id of what was created, if the request did not name it; for the audit log
 */
public record ApiResponse(int status, String contentType, byte[] body, Map<String, String> headers, String subject) {
    static final String JSON = "application/json";

    public boolean isError() {
        return status >= 400;
    }

    /** Returns an error response, for code that wraps the API. */
    public static ApiResponse refusal(int status, ErrorCode code, String sentence) {
        return ErrorResponses.response(status, code, "[" + code.label() + "] " + sentence, null);
    }

    /** Returns a copy with this header instead of the current ones. */
    public ApiResponse with(String header, String value) {
        return new ApiResponse(status, contentType, body, Map.of(header, value), subject);
    }

    static ApiResponse of(int status, Object view) {
        return new ApiResponse(status, JSON, ApiJson.bytes(view), Map.of(), "");
    }

    static ApiResponse ok(Object view) {
        return of(200, view);
    }

    ApiResponse about(String id) {
        return new ApiResponse(status, contentType, body, headers, id);
    }
}
