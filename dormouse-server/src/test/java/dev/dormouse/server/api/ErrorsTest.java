package dev.dormouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.error.ErrorCode;
import org.junit.jupiter.api.Test;

/** Every error code has a status. */
class ErrorsTest {

    @Test
    void onlyAFailureOfTheServerIsA500() {
        for (ErrorCode code : ErrorCode.values()) {
            int status = ErrorResponses.status(code);
            assertThat(status).as(code.name()).isBetween(400, 504);
            assertThat(status == 500).as(code.name()).isEqualTo(code == ErrorCode.SERVER_FAILED);
        }
    }
}
