package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.HistoryEvent;
import dev.dormouse.dag.model.StepStatus;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Steps that wait for an event. */
class WaitStepTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private static Dag paid() {
        return Dag.workflow("paid")
                .waitForEvent("paid", "order.paid", Map.of("order.id", "$.input.id"), HOUR)
                .build();
    }

    @Test
    void eventThatMatchesIsTheOutput() {
        DagStory.play(paid(), story -> {
            DagRun run = story.start("paid", Map.of("id", 17));
            story.advance(SECOND);
            assertThat(run.state().step("paid").status()).isEqualTo(StepStatus.WAITING);
            story.dormouse().publish("order.paid", Map.of("order", Map.of("id", 17), "sum", 3));
            assertThat(DagStory.result(run)).isEqualTo(Map.of("paid", Map.of("order", Map.of("id", 17), "sum", 3)));
            assertThat(story.test().elapsed()).isLessThan(SECOND.multipliedBy(2));
        });
    }

    @Test
    void eventsThatDoNotMatchWakeNobody() {
        DagStory.play(paid(), story -> {
            DagRun run = story.start("paid", Map.of("id", 17));
            story.advance(SECOND);
            int before = run.handle().history().size();
            story.dormouse().publish("order.paid", Map.of("order", Map.of("id", 18)));
            story.dormouse().publish("order.paid", Map.of("order", Map.of("id", "17")));
            story.dormouse().publish("order.paid", Map.of("order", 17));
            story.dormouse().publish("order.paid", null);
            story.dormouse().publish("order.sent", Map.of("order", Map.of("id", 17)));
            story.advance(SECOND);
            assertThat(run.handle().history()).hasSize(before);
            assertThat(DagStory.result(run)).isEqualTo(Map.of("paid", Map.of("timeout", true)));
        });
    }

    @Test
    void timeoutIsAnOutcome() {
        DagStory.play(paid(), story -> {
            DagRun run = story.start("paid", Map.of("id", 17));
            assertThat(DagStory.result(run)).isEqualTo(Map.of("paid", Map.of("timeout", true)));
            assertThat(story.test().elapsed()).isEqualTo(HOUR);
            assertThat(run.state().step("paid").status()).isEqualTo(StepStatus.COMPLETED);
            assertThat(run.handle().history().stream().map(HistoryEvent::kind))
                    .contains("step.wait.started", "step.wait.timedOut");
        });
    }

    @Test
    void eventThatCameShortlyBeforeCounts() {
        DagStory.play(paid(), story -> {
            story.dormouse().publish("order.paid", Map.of("order", Map.of("id", 17), "n", 1));
            story.advance(SECOND);
            story.dormouse().publish("order.paid", Map.of("order", Map.of("id", 17), "n", 2));
            story.advance(SECOND.multipliedBy(50));
            DagRun run = story.start("paid", Map.of("id", 17));
            assertThat(DagStory.result(run)).isEqualTo(Map.of("paid", Map.of("order", Map.of("id", 17), "n", 1)));
        });
    }

    @Test
    void eventThatCameLongBeforeDoesNot() {
        DagStory.play(paid(), story -> {
            story.dormouse().publish("order.paid", Map.of("order", Map.of("id", 17)));
            story.advance(SECOND.multipliedBy(61));
            DagRun run = story.start("paid", Map.of("id", 17));
            assertThat(DagStory.result(run)).isEqualTo(Map.of("paid", Map.of("timeout", true)));
        });
    }

    @Test
    void windowCanBeChosen() {
        try (DagStory story = DagStory.with(builder -> builder.eventWindow(HOUR), paid())) {
            story.dormouse().publish("order.paid", Map.of("order", Map.of("id", 17)));
            story.advance(Duration.ofMinutes(59));
            assertThat(DagStory.result(story.start("paid", Map.of("id", 17))).toString())
                    .contains("order");
        }
        try (DagStory story = DagStory.with(builder -> builder.eventWindow(Duration.ZERO), paid())) {
            story.dormouse().publish("order.paid", Map.of("order", Map.of("id", 17)));
            story.advance(SECOND);
            assertThat(DagStory.result(story.start("paid", Map.of("id", 17))).toString())
                    .contains("timeout");
        }
    }

    @Test
    void oneEventIsHadOnceByOneRun() {
        Dag dag = Dag.workflow("ticks")
                .waitForEvent("one", "tick", Map.of(), HOUR)
                .waitForEvent("two", "tick", Map.of(), HOUR)
                .after("one")
                .build();
        DagStory.play(dag, story -> {
            DagRun run = story.start("ticks", null);
            story.advance(SECOND);
            story.dormouse().publish("tick", 1);
            story.advance(SECOND);
            assertThat(run.state().step("two").status()).isEqualTo(StepStatus.WAITING);
            story.dormouse().publish("tick", 2);
            assertThat(DagStory.result(run)).isEqualTo(Map.of("two", 2));
        });
    }

    @Test
    void severalWaitsOfOneRunAllGetTheEvent() {
        Dag dag = Dag.workflow("ticks")
                .waitForEvent("one", "tick", Map.of(), HOUR)
                .waitForEvent("two", "tick", Map.of(), HOUR)
                .build();
        DagStory.play(dag, story -> {
            DagRun run = story.start("ticks", null);
            story.advance(SECOND);
            story.dormouse().publish("tick", 1);
            assertThat(DagStory.result(run)).isEqualTo(Map.of("one", 1, "two", 1));
        });
    }

    @Test
    void waitGoesOnWhenTheProcessDies() {
        DagStory.play(paid(), story -> {
            story.start("paid", Map.of("id", 17));
            story.advance(SECOND);
            story.crash();
            story.dormouse().publish("order.paid", Map.of("order", Map.of("id", 17)));
            story.crash();
            assertThat(DagStory.result(story.find("paid-1")).toString()).contains("order");
        });
    }

    @Test
    void sameKeyIsPublishedOnce() {
        Dag dag = Dag.workflow("ticks")
                .waitForEvent("one", "tick", Map.of(), HOUR)
                .waitForEvent("two", "tick", Map.of(), HOUR)
                .after("one")
                .build();
        DagStory.play(dag, story -> {
            DagRun run = story.start("ticks", null);
            story.advance(SECOND);
            story.dormouse().publishOnce("k", "tick", 1);
            story.advance(SECOND);
            story.dormouse().publishOnce("k", "tick", 1);
            assertThat(DagStory.result(run)).isEqualTo(Map.of("two", Map.of("timeout", true)));
        });
    }

    @Test
    void matchThatIsNoSingleValueFailsTheStep() {
        DagStory.play(paid(), story -> {
            DagRun run = story.start("paid", Map.of("id", Map.of("a", 1)));
            assertThatThrownBy(() -> DagStory.result(run))
                    .hasMessageContaining("step 'paid' failed")
                    .hasMessageContaining("order.id");
        });
    }
}
