package dev.dormouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.view.ErrorCodeView;
import java.util.Arrays;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** Every error code is explained, and has a status. */
class ErrorsTest {

    @Test
    void everyCodeIsExplained() {
        Properties texts = ErrorsApi.texts();
        for (ErrorCode code : ErrorCode.values()) {
            ErrorCodeView view = ErrorsApi.view(code, texts);
            assertThat(view.meaning()).as(code.name()).endsWith(".");
            assertThat(view.whatToDo()).as(code.name()).endsWith(".");
        }
    }

    @Test
    void nothingElseIsExplained() {
        Properties texts = ErrorsApi.texts();
        assertThat(texts.stringPropertyNames())
                .allMatch(name -> Arrays.stream(ErrorCode.values())
                        .anyMatch(code ->
                                name.equals(code.name() + ".meaning") || name.equals(code.name() + ".whatToDo")));
    }

    @Test
    void onlyAFailureOfTheServerIsA500() {
        for (ErrorCode code : ErrorCode.values()) {
            int status = Problems.status(code);
            assertThat(status).as(code.name()).isBetween(400, 504);
            assertThat(status == 500).as(code.name()).isEqualTo(code == ErrorCode.SERVER_FAILED);
        }
    }
}
