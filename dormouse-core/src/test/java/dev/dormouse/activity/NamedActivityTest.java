package dev.dormouse.activity;

import static dev.dormouse.support.SimulatedDormouse.ONCE;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.QueueOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Activities that are called by name. */
class NamedActivityTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Activities of an interface. */
    public interface Desk {
        String greet(String name);

        String time();

        String twice(String one);

        String twice(int one);
    }

    private static final class TestDesk implements Desk {
        @Override
        public String greet(String name) {
            return "hello " + name;
        }

        @Override
        public String time() {
            return "late";
        }

        @Override
        public String twice(String one) {
            return one + one;
        }

        @Override
        public String twice(int one) {
            return "" + 2 * one;
        }
    }

    /** Registers a workflow that calls the activity named by its input. */
    private static DormouseBuilder calling(DormouseBuilder builder, ActivityOptions options) {
        return builder.workflow(
                "call",
                String.class,
                String.class,
                (ctx, activity) -> ctx.activity("it", activity, options, String.class, "ada"));
    }

    private static DormouseBuilder all(DormouseBuilder builder) {
        return builder.activities(Desk.class, new TestDesk())
                .activity("shout", String.class, String.class, String::toUpperCase);
    }

    @Test
    void methodsAndFunctionsAreCalledByTheirNames() {
        simulate(sim -> {
            Dormouse node = sim.open(builder -> all(calling(builder, ONCE)));
            assertThat(sim.result(node.start("call", "a", String.class, "Desk.greet")))
                    .isEqualTo("hello ada");
            assertThat(sim.result(node.start("call", "b", String.class, "Desk.time")))
                    .isEqualTo("late");
            assertThat(sim.result(node.start("call", "c", String.class, "shout")))
                    .isEqualTo("ADA");
            assertThat(node.find("c", String.class)
                            .orElseThrow()
                            .history()
                            .get(1)
                            .summary())
                    .isEqualTo("step 'it' completed");
        });
    }

    @Test
    void otherNodesExecuteActivitiesThatThisNodeLacks() {
        simulate(sim -> {
            Dormouse here = sim.open(builder -> calling(builder, ONCE));
            sim.open(NamedActivityTest::all);
            sim.advance(SECOND);
            for (Map.Entry<String, String> call : Map.of("Desk.greet", "hello ada", "Desk.time", "late", "shout", "ADA")
                    .entrySet()) {
                assertThat(sim.result(here.start("call", call.getKey(), String.class, call.getKey())))
                        .isEqualTo(call.getValue());
            }
        });
    }

    @Test
    void theyWaitInQueuesToo() {
        simulate(sim -> {
            Dormouse node = sim.open(builder ->
                    all(calling(builder, ONCE.withQueue("q"))).queue("q", QueueOptions.DEFAULT.withRate(1, SECOND)));
            List<WorkflowHandle<String>> handles = List.of(
                    node.start("call", "a", String.class, "shout"), node.start("call", "b", String.class, "Desk.time"));
            assertThat(handles.stream().map(sim::result)).containsExactly("ADA", "late");
            assertThat(sim.elapsed()).isGreaterThanOrEqualTo(SECOND);
        });
    }

    @Test
    void unknownOnesHoldTheRunUp() {
        simulate(sim -> {
            Dormouse node = sim.open(builder -> all(calling(builder, ONCE)));
            for (String name : List.of("nobody", "Desk.twice", "Desk.", "greet")) {
                WorkflowHandle<String> handle = node.start("call", "w " + name, String.class, name);
                sim.advance(SECOND);
                assertThat(handle.describe().status()).isEqualTo(RunStatus.STUCK);
                assertThat(handle.describe().trouble()).contains("DM1010", "'" + name + "'");
            }
        });
    }

    @Test
    void nameIsRegisteredOnce() {
        DormouseBuilder builder = all(Dormouse.builder().store("sqlite::memory:"));
        refused(() -> builder.activity("shout", String.class, String.class, text -> text));
        refused(() -> builder.activity("", String.class, String.class, text -> text));
        refused(() -> builder.activity(null, String.class, String.class, text -> text));
        refused(() -> builder.activity("x", String.class, String.class, null));
        refused(() -> builder.activity("Desk.greet", String.class, String.class, text -> text));
    }

    private static void refused(Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        DormouseException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.BAD_ARGUMENT));
    }
}
