package dev.dormouse.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.error.RecordedException;
import dev.dormouse.error.Sentence;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.schedule.Cron;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordedExceptionTest {

    private static String printed(Throwable problem) {
        StringWriter text = new StringWriter();
        problem.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @Test
    void recordedExceptionPrintsLikeTheRealOne() {
        Exception real = new IOException("locked", new IllegalStateException("the key is lost"));
        RecordedException recorded = Failure.of(real).asException();
        assertThat(recorded.type()).isEqualTo("java.io.IOException");
        assertThat(recorded.stackTraceText()).isEqualTo(Failure.of(real).stackTrace());
        assertThat(recorded.place().orElseThrow()).contains("RecordedExceptionTest.java:");
        assertThat(printed(recorded).lines().limit(2))
                .isEqualTo(printed(real).lines().limit(2).toList());
        assertThat(printed(recorded)).contains("Caused by: java.lang.IllegalStateException: the key is lost");
    }

    @Test
    void placeOfABadScheduleIsWhereItWasWritten() {
        Throwable refusal = catchThrowable(() -> Cron.of("never"));
        assertThat(Failure.of(refusal).asException().place().orElseThrow()).contains("RecordedExceptionTest.java:");
    }

    @Test
    void recordingItAgainKeepsItsName() {
        Failure once = Failure.of(new IOException("locked"));
        Failure again = Failure.of(new IllegalStateException("x", once.asException()));
        assertThat(again.cause().type()).isEqualTo("java.io.IOException");
        assertThat(again.cause().message()).isEqualTo("locked");
    }

    @Test
    void oddLinesAreLeftOut() {
        String text = """
                x.Y: z
                \tat app//a.b.C.d(C.java:12)
                \tat java.base/java.lang.Thread.run(Native Method)
                \tat nonsense
                \t\tat suppressed.X.y(X.java:1)
                \t... 3 more
                Caused by: p.Q: r
                \tat a.b.Cause.d(Cause.java:13)
                """;
        RecordedException recorded = new RecordedException("x.Y", "z", text, null);
        assertThat(recorded.getStackTrace())
                .extracting(StackTraceElement::toString)
                .containsExactly("a.b.C.d(C.java:12)", "java.lang.Thread.run(Native Method)");
        assertThat(new RecordedException("x.Y", "z", "", null).place()).isEmpty();
    }

    @Test
    void sentencesEndOnce() {
        for (String text : List.of("it ends", "it ends.", " it ends. ", "why?", "no!", "cut…")) {
            assertThat(Sentence.of(text)).matches("[^.!?…]+[.!?…]");
        }
        assertThat(Failure.of(new IOException("It ends.")).sentence())
                .startsWith("java.io.IOException: It ends. At ")
                .endsWith(").");
    }
}
