package dev.dormouse.dag.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.DormouseBuilder;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.Dags;
import dev.dormouse.testing.TestDormouse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A new version is deployed while runs of the old one wait in the queue of a step that the new one does not have. */
class OldVersionQueueTest {
    private final List<Object> log = new CopyOnWriteArrayList<>();

    private DormouseBuilder with(DormouseBuilder builder, Dags dags) {
        return builder.activity("log", Object.class, Object.class, input -> {
                    log.add(input);
                    return input;
                })
                .plugin(dags);
    }

    @Test
    void queueOfALimitedStepOfAnOldVersionIsServed() {
        Dag one = Dag.workflow("d")
                .task("old", "log")
                .input("x")
                .rateLimit(1, Duration.ofHours(1))
                .build();
        Dag two = Dag.workflow("d").version(2).task("renamed", "log").input("x").build();
        Dags first = Dags.of(one);
        try (TestDormouse test = TestDormouse.open(builder -> with(builder, first))) {
            first.start("d", "d-1", null);
            first.start("d", "d-2", null);
            test.advance(Duration.ofSeconds(1));
            assertThat(log).hasSize(1);
            Dags second = Dags.of(two);
            test.restart(builder -> with(builder, second));
            test.advance(Duration.ofDays(10));
            assertThat(log).hasSize(2);
        }
    }

    @Test
    void queueOfRunsOfAnOldVersionIsServed() {
        Dag one = Dag.workflow("d")
                .runLimit(1)
                .sleep("nap", Duration.ofHours(1))
                .task("a", "log")
                .input("x")
                .after("nap")
                .build();
        Dag two = Dag.workflow("d").version(2).task("a", "log").input("x").build();
        Dags first = Dags.of(one);
        try (TestDormouse test = TestDormouse.open(builder -> with(builder, first))) {
            first.start("d", "d-1", null);
            test.advance(Duration.ofSeconds(1));
            Dags second = Dags.of(two);
            test.restart(builder -> with(builder, second));
            test.advance(Duration.ofDays(10));
            assertThat(log).hasSize(1);
        }
    }
}
