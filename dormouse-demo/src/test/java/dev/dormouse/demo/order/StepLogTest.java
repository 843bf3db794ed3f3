package dev.dormouse.demo.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StepLogTest {
    @TempDir
    Path folder;

    @Test
    void stepThatAnotherProcessBeginsAgainIsARepeatUnlessItHadFailed() throws IOException {
        write("""
                2026-01-01T00:00:00Z 7 1 Shop.ship BEGAN
                2026-01-01T00:00:00Z 7 2 Shop.charge BEGAN
                2026-01-01T00:00:01Z 7 2 Shop.charge FAILED
                2026-01-01T00:00:01Z 7 3 Shop.survey BEGAN
                2026-01-01T00:00:01Z 7 3 Shop.survey DONE
                2026-01-01T00:00:02Z 8 1 Shop.ship BEGAN
                2026-01-01T00:00:02Z 8 2 Shop.charge BEGAN
                2026-01-01T00:00:02Z 8 3 Shop.survey BEGAN
                2026-01-01T00:00:02Z 8 4 Shop.survey BEGAN
                """);
        assertThat(new StepLog(folder).repeatsOf(7))
                .extracting(StepLog.Entry::order)
                .containsExactly(1, 3);
        assertThat(new StepLog(folder).repeatsOf(8)).isEmpty();
    }

    @Test
    void lineThatIsBeingWrittenIsNotReadYet() throws IOException {
        StepLog stepLog = new StepLog(folder);
        assertThat(stepLog.entries()).isEmpty();
        stepLog.add(1, "Shop.ship", StepLog.What.BEGAN);
        Files.writeString(folder.resolve("steps.log"), Files.readString(folder.resolve("steps.log")) + "2026-01");
        assertThat(stepLog.entries()).hasSize(1);
    }

    private void write(String lines) throws IOException {
        Files.writeString(folder.resolve("steps.log"), lines);
    }
}
