package dev.dormouse.sqlite.sql;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.sqlite.Errors;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Text that SQLite would not return as it was. */
class TextCheckTest {
    @Test
    void textOfHalfCharactersIsRefused() {
        assertThatCode(() -> TextCheck.check("whole \uD83D\uDC2D \u0000 ü")).doesNotThrowAnyException();
        assertThatCode(() -> TextCheck.check(null)).doesNotThrowAnyException();
        for (String half : List.of("\uD83D", "\uDC2D", "x\uD83Dx", "\uDC2D\uD83D", "\uD83D\uDC2D\uD83D")) {
            Errors.assertError(ErrorCode.BAD_ARGUMENT, () -> TextCheck.check(half));
        }
    }
}
