package dev.dormouse.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.page.TextOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextOrderTest {
    private static final List<String> TEXTS = List.of(
            "",
            "a",
            "a\u0000",
            "ab",
            "b",
            "\u007F",
            "\u0080",
            "\u07FF",
            "\u0800",
            "\uD7FF",
            "\uE000",
            "\uFFFD",
            "\uFFFF",
            "\uD800\uDC00",
            "\uD83D\uDC2D",
            "\uD83D\uDC2Da",
            "\uD83D\uDE00",
            "\uDBFF\uDFFF",
            "a\uFFFD",
            "a\uD83D\uDE00");

    @Test
    void textsAreOrderedAsTheirBytesAre() {
        for (String one : TEXTS) {
            for (String other : TEXTS) {
                int bytes = Arrays.compareUnsigned(
                        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
                assertThat(Integer.signum(TextOrder.BY_UTF8.compare(one, other)))
                        .as("%s and %s", one, other)
                        .isEqualTo(Integer.signum(bytes));
            }
        }
    }
}
