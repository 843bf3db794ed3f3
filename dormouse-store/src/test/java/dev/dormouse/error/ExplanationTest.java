package dev.dormouse.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every error code has an explanation. */
class ExplanationTest {

    @Test
    void everyCodeIsExplained() {
        for (ErrorCode code : ErrorCode.values()) {
            Explanation explanation = Explanation.of(code);
            String add = "errors.properties: add " + code.name();
            assertThat(explanation.meaning()).as(add + ".meaning").endsWith(".").hasSizeGreaterThan(20);
            assertThat(explanation.when()).as(add + ".when").endsWith(".").hasSizeGreaterThan(20);
            assertThat(explanation.example()).as(add + ".example").endsWith(".").hasSizeGreaterThan(30);
            assertThat(explanation.whatToDo())
                    .as(add + ".whatToDo")
                    .endsWith(".")
                    .hasSizeGreaterThan(20);
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
                        .anyMatch(code -> Stream.of(".meaning", ".when", ".example", ".whatToDo")
                                .anyMatch(part -> name.equals(code.name() + part))));
    }
}
