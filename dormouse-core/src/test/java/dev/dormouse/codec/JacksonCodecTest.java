package dev.dormouse.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class JacksonCodecTest {
    record Point(int x, Optional<String> name, Instant at, Duration length) {}

    public static class Holder {
        @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
        public Object anything;
    }

    private final JacksonCodec codec = new JacksonCodec();

    private static Payload json(String text) {
        return new Payload("json", text.getBytes(StandardCharsets.UTF_8));
    }

    private void assertDoesNotFit(Payload payload, Type type) {
        Throwable problem = catchThrowable(() -> codec.decode(payload, type));
        assertThat(problem).as("%s as %s", payload, type).isInstanceOf(DormouseException.class);
        assertThat(((DormouseException) problem).code()).isEqualTo(ErrorCode.PAYLOAD_DOES_NOT_FIT);
        assertThat(problem.getMessage()).contains("[DM1005] Expected").contains(", but");
    }

    @Test
    void usualValuesComeBack() {
        Point point =
                new Point(1, Optional.of("ä€𝄞"), Instant.parse("2030-01-01T00:00:00.123456789Z"), Duration.ofNanos(7));
        for (Object value : List.of(
                point,
                "text",
                42,
                Long.MAX_VALUE,
                new BigDecimal("0.1"),
                true,
                UUID.randomUUID(),
                LocalDate.of(2030, 1, 1),
                Instant.parse("9999-12-31T23:59:59.999999999Z"),
                Duration.ofDays(30).plusNanos(1),
                ErrorCode.BAD_ARGUMENT)) {
            assertThat(codec.decode(codec.encode(value), value.getClass())).isEqualTo(value);
        }
        assertThat(codec.decode(codec.encode(null), String.class)).isNull();
        assertThat((byte[]) codec.decode(codec.encode(new byte[] {1, 2}), byte[].class))
                .containsExactly(1, 2);
    }

    @Test
    void nothingIsReadAsNullWhateverTheType() {
        assertThat(codec.decode(Payload.NOTHING, String.class)).isNull();
        assertThat(codec.decode(Payload.NOTHING, void.class)).isNull();
        assertThat(codec.decode(json("5"), Void.class)).isNull();
    }

    @Test
    void payloadThatDoesNotFitIsRefused() {
        assertDoesNotFit(json("\"text\""), Integer.class);
        assertDoesNotFit(json("{}"), String.class);
        assertDoesNotFit(json("[1]"), Point.class);
        assertDoesNotFit(json("{"), Map.class);
        assertDoesNotFit(json(""), String.class);
        assertDoesNotFit(json("1 2"), Integer.class);
        assertDoesNotFit(json("99999999999"), Integer.class);
        assertDoesNotFit(json("null"), int.class);
        assertDoesNotFit(json("\"x\""), Runnable.class);
        assertDoesNotFit(new Payload("protobuf", new byte[] {1}), String.class);
        assertDoesNotFit(json("[".repeat(100_000)), Object.class);
    }

    @Test
    void valueThatCannotBeWrittenIsRefused() {
        Map<String, Object> circle = new HashMap<>();
        circle.put("me", circle);
        Throwable problem = catchThrowable(() -> codec.encode(circle));
        assertThat(((DormouseException) problem).code()).isEqualTo(ErrorCode.PAYLOAD_NOT_SERIALIZABLE);
        assertThat(problem.getMessage())
                .contains("[DM1003] Expected")
                .contains(", but")
                .contains("HashMap");
    }

    @Test
    void noClassIsLoadedByANameInTheData() {
        Payload evil = json("{\"anything\":{\"@class\":\"java.util.HashMap\",\"a\":1}}");
        assertDoesNotFit(evil, Holder.class);
        assertThat(codec.decode(json("{\"@class\":\"java.net.URL\"}"), Object.class))
                .isInstanceOf(Map.class);
    }

    record Card(String owner, int number) {
        Card {
            if (number == 4113) {
                throw new IllegalStateException("no such card: " + owner + " " + number);
            }
        }
    }

    public static class Refusing {
        public String getSecret() {
            throw new IllegalStateException("4111 is my secret");
        }
    }

    @Test
    void contentIsNeverInTheErrorNorInItsCauses() {
        Payload word = json("{\"owner\":\"ada\",\"number\":\"4111-x\"}");
        String atNumber = assertTellsNothing(word, Card.class);
        assertThat(atNumber)
                .contains("json of " + word.bytes().length + " bytes", Card.class.getName(), "for int at number");
        assertTellsNothing(json("{\"owner\":\"ada\",\"number\":41119999999}"), Card.class);
        assertTellsNothing(
                json("{\"ada\":{\"4111\":\"4111x\"}}"),
                new HashMap<String, Map<String, Integer>>() {}.getClass().getGenericSuperclass());
        assertTellsNothing(json("\"ada 4111\""), Card.class);
        assertTellsNothing(json("\"ada 4111\""), Runnable.class);
        assertTellsNothing(json("\"ada 4111\""), Instant.class);
        assertTellsNothing(json("\"ada 4111\""), UUID.class);
        assertTellsNothing(json("ada 4111"), String.class);
        assertTellsNothing(json("{\"owner\":\"ada 4111\", x}"), Card.class);
        assertTellsNothing(json("\"ada 4111\""), ErrorCode.class);
        assertThat(assertTellsNothing(json("{\"owner\":\"ada\",\"number\":4113}"), Card.class))
                .contains("java.lang.IllegalStateException at ", "JacksonCodecTest.java:");
        assertTellsNothing(catchThrowable(() -> codec.encode(new Refusing())));
    }

    private String assertTellsNothing(Payload payload, Type type) {
        assertDoesNotFit(payload, type);
        return assertTellsNothing(catchThrowable(() -> codec.decode(payload, type)));
    }

    private static String assertTellsNothing(Throwable problem) {
        StringWriter printed = new StringWriter();
        problem.printStackTrace(new PrintWriter(printed));
        assertThat(printed.toString()).doesNotContain("ada", "411");
        return problem.getMessage();
    }

    @Test
    void payloadsAreShownWithoutTheirContent() {
        assertThat(json("x".repeat(10_000))).hasToString("json of 10000 bytes");
        assertThat(Payload.NOTHING.toString()).isEqualTo("nothing");
        assertThat(json("1")).isEqualTo(json("1")).hasSameHashCodeAs(json("1")).isNotEqualTo(json("2"));
    }
}
