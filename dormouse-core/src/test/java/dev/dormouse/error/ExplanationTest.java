package dev.dormouse.error;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What error codes mean. */
class ExplanationTest {

    @ParameterizedTest
    @EnumSource
    void everyCodeIsExplained(ErrorCode code) {
        Explanation explanation = Explanation.of(code);
        assertThat(explanation.meaning()).endsWith(".").hasSizeGreaterThan(20);
        assertThat(explanation.whatToDo()).endsWith(".").hasSizeGreaterThan(20);
    }
}
