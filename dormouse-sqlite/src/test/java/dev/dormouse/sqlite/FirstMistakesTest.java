package dev.dormouse.sqlite;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Values and types that cannot be stored, as in a first program: the message says what is wrong and what to write instead. */
@Timeout(30)
class FirstMistakesTest {
    private static final String RAW = "[DM1012] Expected a type with type arguments, but got java.util.List, which has "
            + "type parameters: its content could not be read back. Write new TypeRef<List<…>>() {} instead of List.class.";

    private static DormouseBuilder builder() {
        return Dormouse.builder()
                .store("sqlite::memory:")
                .workflow("any", Object.class, String.class, (ctx, input) -> "got " + input)
                .workflow(
                        "raw", String.class, String.class, (ctx, input) -> "" + ctx.step("load", List.class, List::of));
    }

    @Test
    void rawListIsRefusedWhereverATypeIsNamed() {
        assertThatThrownBy(() -> builder().workflow("in", List.class, String.class, (ctx, list) -> ""))
                .hasMessage(RAW);
        try (Dormouse dormouse = builder().open()) {
            assertThatThrownBy(() -> dormouse.start("any", "a", List.class, "x"))
                    .hasMessage(RAW);
            assertThatThrownBy(() -> dormouse.timers().handle("h", List.class, list -> {}))
                    .hasMessage(RAW);
            assertThatThrownBy(
                            () -> dormouse.start("raw", "r", String.class, "x").result())
                    .hasMessageStartingWith("[DM3004] Expected run ")
                    .hasMessageContaining(RAW);
        }
    }

    @Test
    void lambdaAsInputIsRefusedBeforeARunStarts() {
        try (Dormouse dormouse = builder().open()) {
            Supplier<String> lambda = () -> "x";
            assertThatThrownBy(() -> dormouse.start("any", "l", String.class, lambda))
                    .hasMessageStartingWith(
                            "[DM1003] Expected a value that can be written as JSON, but an instance of ")
                    .hasMessageContaining("a lambda has no content that could be written. Use a record or a bean");
            assertThatThrownBy(() -> dormouse.find("l", String.class).orElseThrow())
                    .isInstanceOf(NoSuchElementException.class);
        }
    }
}
