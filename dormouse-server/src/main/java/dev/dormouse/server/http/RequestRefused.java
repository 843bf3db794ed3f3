package dev.dormouse.server.http;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.api.ApiResponse;

/** A request that is refused before it reaches the API. */
final class RequestRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient ApiResponse response;

    private RequestRefused(ApiResponse response) {
        super("refused with " + response.status(), null, false, false);
        this.response = response;
    }

    static RequestRefused with(int status, ErrorCode code, String sentence) {
        return new RequestRefused(ApiResponse.refusal(status, code, sentence));
    }

    static RequestRefused forged(String sentence) {
        return with(403, ErrorCode.FORGED_REQUEST, sentence);
    }

    RequestRefused header(String name, String value) {
        return new RequestRefused(response.with(name, value));
    }

    ApiResponse response() {
        return response;
    }
}
