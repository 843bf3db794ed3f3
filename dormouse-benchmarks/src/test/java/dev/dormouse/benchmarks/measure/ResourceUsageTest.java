package dev.dormouse.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The figures per operation. */
class ResourceUsageTest {

    @Test
    void differenceIsDividedByTheOperations() {
        ResourceUsage before = usage(100, 10, 5_000);
        ResourceUsage after = usage(300, 60, 25_000);
        assertThat(after.since(before).perOperation("wf1@32", 1_000))
                .containsExactly(
                        new Reading("wf1@32-server-cpu", Unit.MICROS_PER_OPERATION, 50),
                        new Reading("wf1@32-java-cpu", Unit.MICROS_PER_OPERATION, 200),
                        new Reading("wf1@32-wal", Unit.BYTES_PER_OPERATION, 20));
    }

    @Test
    void unknownValuesHaveNoFigures() {
        ResourceUsage file = new ResourceUsage(Duration.ofMillis(3), Optional.empty(), Optional.empty());
        assertThat(file.since(file).perOperation("drain20k", 10))
                .containsExactly(new Reading("drain20k-java-cpu", Unit.MICROS_PER_OPERATION, 0));
    }

    @Test
    void nothingIsReportedWithoutOperations() {
        assertThat(usage(1, 1, 1).perOperation("signals", 0)).isEmpty();
    }

    @Test
    void everyFigureHasAName() {
        assertThat(usage(1, 1, 1).perOperation("signals", 1))
                .extracting(Reading::name)
                .containsExactlyElementsOf(ResourceUsage.names("signals"));
    }

    private static ResourceUsage usage(long javaMillis, long serverMillis, long wal) {
        return new ResourceUsage(
                Duration.ofMillis(javaMillis), Optional.of(Duration.ofMillis(serverMillis)), Optional.of(wal));
    }
}
