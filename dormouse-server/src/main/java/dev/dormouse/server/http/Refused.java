package dev.dormouse.server.http;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.api.ApiResponse;

/** A request that does not reach the API. */
final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient ApiResponse response;

    private Refused(ApiResponse response) {
        super("refused with " + response.status(), null, false, false);
        this.response = response;
    }

    static Refused with(int status, ErrorCode code, String sentence) {
        return new Refused(ApiResponse.refusal(status, code, sentence));
    }

    static Refused forged(String sentence) {
        return with(403, ErrorCode.FORGED_REQUEST, sentence);
    }

    Refused header(String name, String value) {
        return new Refused(response.with(name, value));
    }

    ApiResponse response() {
        return response;
    }
}
