package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Activity;
import dev.dormouse.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** How many of a step, or of a DAG, may be at work. */
class LimitsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static List<String> startAndWait(DagStory story, int runs, List<?> inputs) {
        List<DagRun> started = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            started.add(story.dags().start("d", "d-" + i, inputs.get(i % inputs.size())));
        }
        started.forEach(DagStory::result);
        return story.log().stream().sorted().toList();
    }

    @Test
    void fiveRunsWithALimitOfTwoPerSecondBeginWhenTheyMay() {
        Dag dag = Dag.workflow("d")
                .task("call", "log")
                .input("x")
                .rateLimit(2, SECOND)
                .build();
        DagStory.play(dag, story -> {
            assertThat(startAndWait(story, 5, List.of(Map.of())))
                    .containsExactlyInAnyOrder("0 x", "500 x", "1000 x", "1500 x", "2000 x");
        });
    }

    @Test
    void eachKeyHasALimitOfItsOwn() {
        Dag dag = Dag.workflow("d")
                .task("call", "log")
                .input("$.input.tenant")
                .rateLimit(1, SECOND, "$.input.tenant")
                .build();
        DagStory.play(dag, story -> {
            assertThat(startAndWait(story, 4, List.of(Map.of("tenant", "a"), Map.of("tenant", "b"))))
                    .containsExactlyInAnyOrder("0 a", "0 b", "1000 a", "1000 b");
        });
    }

    /** With an activity that takes a second, during which others may begin. */
    private static DagStory working(Dag dag, AtomicInteger most) {
        AtomicInteger working = new AtomicInteger();
        AtomicReference<DagStory> story = new AtomicReference<>();
        story.set(DagStory.with(
                builder -> builder.activity("work", Object.class, Object.class, input -> {
                    most.accumulateAndGet(working.incrementAndGet(), Math::max);
                    story.get().advance(SECOND);
                    working.decrementAndGet();
                    return Map.of();
                }),
                dag));
        return story.get();
    }

    private static int mostAtATime(Dag dag) {
        AtomicInteger most = new AtomicInteger();
        try (DagStory story = working(dag, most)) {
            startAndWait(story, 8, List.of(Map.of()));
        }
        return most.get();
    }

    @Test
    void noMoreThanSoManyOfAStepExecuteAtATime() {
        assertThat(mostAtATime(Dag.workflow("d").task("call", "work").build())).isEqualTo(8);
        assertThat(mostAtATime(
                        Dag.workflow("d").task("call", "work").concurrency(3).build()))
                .isEqualTo(3);
    }

    @Test
    void itemsOfAMapKeepTheLimitToo() {
        Dag dag = Dag.workflow("d")
                .map("call", "log", "$.input")
                .rateLimit(1, SECOND)
                .build();
        DagStory.play(dag, story -> {
            DagStory.result(story.start("d", List.of("a", "b", "c")));
            assertThat(story.log().stream().map(line -> line.replaceAll(" .*", "")))
                    .containsExactly("0", "1000", "2000");
        });
    }

    @Test
    void noMoreThanSoManyRunsExecuteAtATime() {
        DagBuilder dag = Dag.workflow("d")
                .runLimit(2)
                .task("call", "work")
                .task("more", "work")
                .after("call");
        assertThat(mostAtATime(dag.build())).isEqualTo(2);
    }

    @Test
    void limitedStepGoesOnAfterARestartAlthoughNoRunIsReplayed() {
        Dag dag = Dag.workflow("d")
                .task("call", "log")
                .input("x")
                .rateLimit(1, Duration.ofHours(1))
                .build();
        DagStory.play(dag, story -> {
            story.dags().start("d", "one", null);
            story.dags().start("d", "two", null);
            story.advance(SECOND);
            story.crash();
            DagStory.result(story.find("two"));
            DagStory.result(story.find("one"));
            assertThat(story.log()).containsExactly("0 x", "3600000 x");
        });
    }

    @Test
    void limitedStepThatFailsTellsSo() {
        Dag dag = Dag.workflow("d")
                .task("call", "flaky")
                .concurrency(1)
                .retry(RetryPolicy.DEFAULT.attempts(2))
                .build();
        try (DagStory story = DagStory.with(
                builder -> builder.activity("flaky", Object.class, Object.class, input -> {
                    if (Activity.info().attempt() < 2) {
                        throw new IllegalStateException("not yet");
                    }
                    return "ok";
                }),
                dag)) {
            assertThat(DagStory.result(story.start("d", null))).isEqualTo(Map.of("call", "ok"));
        }
    }
}
