package dev.dormouse.client;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Debounced starts: many starts, one run. */
class DebouncedStartTest {
    private static final Duration QUIET = Duration.ofSeconds(30);
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final StartOptions DEBOUNCED = StartOptions.DEFAULT.withDebounce(QUIET, LIMIT);

    private static Dormouse open(SimulatedDormouse sim, Duration takes) {
        return sim.open(node -> node.workflow("index", String.class, String.class, (ctx, text) -> {
            ctx.step("index", () -> {
                sim.log(text + " at " + sim.elapsed().toSeconds());
                sim.advance(takes);
            });
            return text;
        }));
    }

    private static WorkflowHandle<String> start(Dormouse dormouse, String text) {
        return dormouse.start("index", "page", DEBOUNCED, String.class, text);
    }

    @Test
    void startsWithinTheQuietPeriodAreOneRunWithTheLastInput() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, Duration.ZERO);
            WorkflowHandle<String> first = start(dormouse, "a");
            sim.advance(Duration.ofSeconds(20));
            WorkflowHandle<String> second = start(dormouse, "b");
            sim.advance(Duration.ofSeconds(20));
            start(dormouse, "c");
            assertThat(second.runId()).isEqualTo(first.runId());
            assertThat(sim.result(first)).isEqualTo("c");
            assertThat(sim.log()).containsExactly("c at 70");
        });
    }

    @Test
    void limitIsReachedWithoutAnotherStart() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, Duration.ZERO);
            WorkflowHandle<String> first = start(dormouse, "0");
            for (int i = 1; i <= 5; i++) {
                sim.advance(Duration.ofSeconds(20));
                start(dormouse, Integer.toString(i));
            }
            assertThat(sim.result(first)).isEqualTo("5");
            assertThat(sim.log()).containsExactly("5 at 120");
        });
    }

    @Test
    void startWhileItExecutesIsForARunAfterIt() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, Duration.ofMinutes(1));
            WorkflowHandle<String> first = start(dormouse, "a");
            sim.advance(Duration.ofSeconds(40));
            start(dormouse, "b");
            sim.advance(Duration.ofSeconds(5));
            start(dormouse, "c");
            assertThat(sim.result(first)).isEqualTo("a");
            sim.await("the next one", () -> sim.log().size() == 2);
            assertThat(sim.log().get(1)).startsWith("c at 1");
        });
    }

    @Test
    void startAfterItClosedIsANewRun() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, Duration.ZERO);
            assertThat(sim.result(start(dormouse, "a"))).isEqualTo("a");
            assertThat(sim.result(start(dormouse, "b"))).isEqualTo("b");
        });
    }

    @Test
    void itSurvivesTheDeathOfItsNodeInTheQuietPeriod() {
        simulate(sim -> {
            Dormouse one = open(sim, Duration.ZERO);
            start(one, "a");
            sim.advance(Duration.ofSeconds(20));
            start(one, "b");
            sim.advance(Duration.ofSeconds(11));
            sim.kill(one);
            Dormouse two = open(sim, Duration.ZERO);
            assertThat(sim.result(two.find("page", String.class).orElseThrow())).isEqualTo("b");
            assertThat(sim.log()).containsExactly("b at 50");
        });
    }

    @Test
    @SuppressWarnings("ArgumentSelectionDefectChecker") // swapped on purpose
    void oddPeriodsAreRefused() {
        assertClear(catchThrowable(() -> StartOptions.DEFAULT.withDebounce(LIMIT, QUIET)), ErrorCode.BAD_ARGUMENT);
        assertClear(
                catchThrowable(() -> StartOptions.DEFAULT.withDebounce(Duration.ZERO, QUIET)), ErrorCode.BAD_ARGUMENT);
        assertClear(catchThrowable(() -> DEBOUNCED.withStartDelay(QUIET)), ErrorCode.BAD_ARGUMENT);
    }
}
