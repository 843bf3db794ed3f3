package dev.dormouse.server.api;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.request.ApiJson;
import java.util.Map;

/**
 * An answer.
 *
 * @param status as in HTTP
 * @param headers beside the content type
 * @param subject the id of what was made, where the request did not name it; for the audit log
 */
public record ApiResponse(int status, String contentType, byte[] body, Map<String, String> headers, String subject) {
    static final String JSON = "application/json";

    public boolean isError() {
        return status >= 400;
    }

    /** An answer that is none, for who puts something around the API. */
    public static ApiResponse refusal(int status, ErrorCode code, String sentence) {
        return ErrorResponses.response(status, code, "[" + code.label() + "] " + sentence, null);
    }

    /** The same with a header more. */
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
