package dev.dormouse.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** Every error code has an explanation. */
class ExplanationTest {

    @Test
    void everyCodeIsExplained() {
        for (ErrorCode code : ErrorCode.values()) {
            Explanation explanation = Explanation.of(code);
            assertThat(explanation.meaning()).as(code.name()).endsWith(".").hasSizeGreaterThan(20);
            assertThat(explanation.whatToDo()).as(code.name()).endsWith(".").hasSizeGreaterThan(20);
        }
    }

    @Test
    void nothingElseIsExplained() throws IOException {
        Properties texts = new Properties();
        try (InputStream in = Explanation.class.getResourceAsStream("errors.properties")) {
            texts.load(in);
        }
        assertThat(texts.stringPropertyNames())
                .allMatch(name -> Arrays.stream(ErrorCode.values())
                        .anyMatch(code ->
                                name.equals(code.name() + ".meaning") || name.equals(code.name() + ".whatToDo")));
    }
}
