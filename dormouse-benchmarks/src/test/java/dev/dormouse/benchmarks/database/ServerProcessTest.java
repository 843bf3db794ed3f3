package dev.dormouse.benchmarks.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Children that end in the middle of a reading. */
class ServerProcessTest {
    private static final long MAIN = 7;

    private final List<Long> children = new ArrayList<>(List.of(100L, 30L));
    private long ended = 500;
    private Runnable beforeChildrenAreRead = () -> {};
    private Runnable afterChildrenAreRead = () -> {};

    private final ServerProcess server = new ServerProcess(() -> new ProcessStat(1, MAIN, ended), this::readChildren);

    private List<ProcessStat> readChildren() {
        beforeChildrenAreRead.run();
        List<ProcessStat> stats =
                children.stream().map(ticks -> new ProcessStat(2, ticks, 0)).toList();
        afterChildrenAreRead.run();
        return stats;
    }

    private void endChild() {
        if (!children.isEmpty()) {
            ended += children.remove(0);
        }
    }

    @Test
    void timeContainsMainProcessAndChildrenThatLiveOrHaveEnded() {
        assertThat(server.processorTime()).isEqualTo(ticks(637));
    }

    @Test
    void childThatEndsBeforeItIsReadIsNotMissing() {
        beforeChildrenAreRead = this::endChild;
        assertThat(server.processorTime()).isEqualTo(ticks(637));
    }

    @Test
    void childThatEndsAfterItWasReadIsNotCountedTwice() {
        afterChildrenAreRead = this::endChild;
        assertThat(server.processorTime()).isEqualTo(ticks(637));
    }

    @Test
    void readingsDoNotDecreaseEvenIfAChildEndsInEachAttempt() {
        children.clear();
        children.addAll(Collections.nCopies(19, 1L)); // in all attempts except the last one
        children.add(100L);
        assertThat(server.processorTime()).isEqualTo(ticks(626));
        beforeChildrenAreRead = this::endChild;
        assertThat(server.processorTime()).isEqualTo(ticks(626));
        ended += 3;
        assertThat(server.processorTime()).isEqualTo(ticks(629));
    }

    private static Duration ticks(long number) {
        return Duration.ofMillis(number * 10);
    }
}
