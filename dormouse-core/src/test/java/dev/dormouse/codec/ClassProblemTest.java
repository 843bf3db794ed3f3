package dev.dormouse.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An error about a class names what the class lacks, and shows nothing of the data. */
class ClassProblemTest {
    private final JacksonCodec codec = new JacksonCodec();

    /** A class without a constructor that Jackson could use. */
    static class Unmakeable {
        private final int number;

        Unmakeable(int number, String unused) {
            this.number = number + unused.length();
        }
    }

    record Order(String owner, List<Unmakeable> lines) {}

    @kotlin.Metadata
    static class KotlinData {
        private final String owner;

        KotlinData(String owner, int secret) {
            this.owner = owner + secret;
        }
    }

    public static class OfText {
        @JsonCreator
        public static OfText of(String text) {
            return new OfText(text.length(), text);
        }

        private OfText(int length, String text) {}
    }

    interface Shape {
        String owner();
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    interface Typed {
        String owner();
    }

    class Inner {
        public String owner;
    }

    record Amount(String owner, int cents) {}

    record Keyed(Map<Amount, String> byAmount) {}

    private String problem(String json, Type type) {
        Throwable problem =
                catchThrowable(() -> codec.decode(new Payload("json", json.getBytes(StandardCharsets.UTF_8)), type));
        assertThat(problem).isInstanceOf(DormouseException.class);
        assertThat(((DormouseException) problem).code()).isEqualTo(ErrorCode.PAYLOAD_DOES_NOT_FIT);
        StringWriter printed = new StringWriter();
        problem.printStackTrace(new PrintWriter(printed));
        assertThat(printed.toString()).doesNotContain("ada", "411");
        return problem.getMessage();
    }

    @Test
    void missingConstructorIsNamedWithThePathOfTheField() {
        assertThat(problem("{\"owner\":\"ada\",\"lines\":[{\"number\":4111}]}", Order.class))
                .contains("Cannot construct instance of `dev.dormouse.codec.ClassProblemTest$Unmakeable`")
                .contains("at lines[0]")
                .contains("constructor without parameters")
                .contains("-parameters");
    }

    @Test
    void errorForAKotlinClassNamesTheModule() {
        assertThat(problem("{\"owner\":\"ada\",\"secret\":4111}", KotlinData.class))
                .contains("jackson-module-kotlin");
    }

    @Test
    void classThatIsMadeOfSomethingElseSaysSo() {
        assertThat(problem("{\"owner\":\"ada 4111\"}", OfText.class)).contains("Cannot construct instance of");
        assertThat(problem("\"ada 4111\"", Unmakeable.class)).contains("Cannot construct instance of");
        assertThat(problem("4111", Unmakeable.class)).contains("Cannot construct instance of");
    }

    @Test
    void abstractTypeSaysThatItIsAbstract() {
        assertThat(problem("{\"owner\":\"ada\"}", Shape.class)).contains("abstract types");
        assertThat(problem("{\"owner\":\"ada\"}", Typed.class)).contains("missing type id property '@type'");
        assertThat(problem("{\"@type\":\"ada 4111\"}", Typed.class)).contains("InvalidTypeIdException");
        assertThat(problem("{\"owner\":\"ada\"}", Inner.class)).contains("Inner");
    }

    @Test
    void nullForAPrimitiveSaysSo() {
        assertThat(problem("{\"owner\":\"ada\",\"cents\":null}", Amount.class)).contains("null", "`int`", "cents");
        assertThat(problem("{\"owner\":\"ada\"}", Amount.class)).contains("null", "`int`", "cents");
        assertThat(problem("{\"byAmount\":{\"ada 4111\":\"x\"}}", Keyed.class)).contains("Key deserializer");
    }
}
