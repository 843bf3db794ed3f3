package dev.dormouse.activity;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Activity;
import dev.dormouse.ActivityInterface;
import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.QueueOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** {@link Activity#dormouse}: activities that use the node that executes them. */
class ActivityDormouseTest {

    @ActivityInterface
    public interface Starter {
        String start(String text);
    }

    private static Starter starter(SimulatedDormouse sim, List<Dormouse> seen) {
        return text -> {
            seen.add(Activity.dormouse());
            sim.log("start " + Activity.info().attempt());
            return Activity.dormouse()
                    .start("echo", "started-" + text, String.class, text)
                    .workflowId();
        };
    }

    private static DormouseBuilder code(DormouseBuilder node, ActivityOptions options) {
        return SimulatedDormouse.echo(node)
                .workflow(
                        "w",
                        String.class,
                        String.class,
                        (ctx, input) -> ctx.activities(Starter.class, options).start(input));
    }

    @Test
    void activityAndStepStartWorkflowsOnTheirOwnNode() {
        simulate(sim -> {
            List<Dormouse> seen = new ArrayList<>();
            Dormouse dormouse = sim.open(node -> code(node, ActivityOptions.DEFAULT)
                    .activities(Starter.class, starter(sim, seen))
                    .workflow(
                            "s",
                            String.class,
                            String.class,
                            (ctx, input) -> ctx.step("begin", String.class, () -> {
                                seen.add(Activity.dormouse());
                                return Activity.dormouse()
                                        .start("echo", "by-step", String.class, input)
                                        .result();
                            })));
            assertThat(sim.result(dormouse.start("w", "w", String.class, "a"))).isEqualTo("started-a");
            assertThat(sim.result(dormouse.find("started-a", String.class).orElseThrow()))
                    .isEqualTo(sim.result(dormouse.start("s", "s", String.class, "a")));
            assertThat(seen).containsExactly(dormouse, dormouse);
        });
    }

    @Test
    void remoteActivityGetsTheNodeThatExecutesIt() {
        simulate(sim -> {
            List<Dormouse> seen = new ArrayList<>();
            ActivityOptions inQueue = ActivityOptions.DEFAULT.withQueue("q");
            Dormouse caller = sim.open(
                    node -> code(node, inQueue).remoteActivities(Starter.class).remoteWorkflow("echo"));
            Dormouse worker = sim.open(node -> SimulatedDormouse.echo(node)
                    .queue("q", QueueOptions.DEFAULT)
                    .activities(Starter.class, starter(sim, seen)));
            assertThat(sim.result(caller.start("w", "w", String.class, "a"))).isEqualTo("started-a");
            assertThat(seen).containsExactly(worker);
        });
    }

    @Test
    void attemptAfterACrashGetsTheNodeThatTakesTheRunOver() {
        simulate(sim -> {
            List<Dormouse> seen = new ArrayList<>();
            Starter slowAtFirst = text -> {
                String id = starter(sim, seen).start(text);
                if (Activity.info().attempt() == 1) {
                    sim.advance(Duration.ofHours(1));
                }
                return id;
            };
            Dormouse one = sim.open(node -> code(node, ActivityOptions.DEFAULT).activities(Starter.class, slowAtFirst));
            one.start("w", "w", String.class, "a");
            sim.await("the first attempt", () -> sim.count("start 1") == 1);
            sim.kill(one);
            Dormouse two = sim.open(node -> code(node, ActivityOptions.DEFAULT).activities(Starter.class, slowAtFirst));
            WorkflowHandle<String> handle = two.find("w", String.class).orElseThrow();
            assertThat(sim.result(handle)).isEqualTo("started-a");
            assertThat(seen).containsExactly(one, two);
            assertThat(two.find("started-a", String.class)).isPresent();
        });
    }

    /** The activity begins while {@code open} still executes, because its run is due at once. */
    @Test
    void runThatIsDueWhenTheNodeOpensGetsIt() {
        simulate(sim -> {
            List<Dormouse> seen = new ArrayList<>();
            Dormouse client = sim.open(node -> node.remoteWorkflow("w").remoteWorkflow("echo"));
            for (int i = 0; i < 20; i++) {
                client.start("w", "w" + i, String.class, "" + i);
            }
            Dormouse node = sim.open(
                    builder -> code(builder, ActivityOptions.DEFAULT).activities(Starter.class, starter(sim, seen)));
            for (int i = 0; i < 20; i++) {
                assertThat(sim.result(client.find("w" + i, String.class).orElseThrow()))
                        .isEqualTo("started-" + i);
            }
            assertThat(seen).hasSize(20).containsOnly(node);
        });
    }

    @Test
    void timerHandlerGetsItsNode() {
        simulate(sim -> {
            List<Dormouse> seen = new ArrayList<>();
            Dormouse dormouse = sim.open(SimulatedDormouse::echo);
            dormouse.timers().handle("h", String.class, text -> {
                seen.add(Activity.dormouse());
                Activity.dormouse().start("echo", "by-timer", String.class, text);
            });
            dormouse.timers().after(Duration.ofHours(1), "h", "x");
            sim.await("the timer", () -> !seen.isEmpty());
            assertThat(seen).containsExactly(dormouse);
            sim.await(
                    "the workflow",
                    () -> dormouse.find("by-timer", String.class).isPresent());
        });
    }

    @Test
    void transactionStepMayReadButNotChange() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(SimulatedDormouse::echo);
            dormouse.timers().handleInTransaction("h", String.class, (text, connection) -> {
                sim.log("reads "
                        + Activity.dormouse().find("none", String.class).isPresent());
                Throwable refused = catchThrowable(() -> Activity.dormouse().publish("event", "x"));
                sim.log("refused " + ((DormouseException) refused).code());
            });
            dormouse.timers().after(Duration.ZERO, "h", "x");
            sim.await("the timer", () -> sim.count("refused NOT_ALLOWED_HERE") > 0);
            assertThat(sim.count("reads false")).isPositive();
        });
    }

    @Test
    void otherThreadsAndWorkflowCodeDoNotHaveIt() {
        simulate(sim -> {
            assertClear(catchThrowable(Activity::dormouse), ErrorCode.OUTSIDE_ACTIVITY);
            Dormouse dormouse = sim.open(node -> node.workflow("w", String.class, String.class, (ctx, input) -> {
                ctx.step("s", String.class, () -> "done");
                return String.valueOf(((DormouseException) catchThrowable(Activity::dormouse)).code());
            }));
            assertThat(sim.result(dormouse.start("w", "w", String.class, ""))).isEqualTo("OUTSIDE_ACTIVITY");
        });
    }

    @Test
    void activityCannotCloseItsOwnNode() {
        simulate(sim -> {
            List<Throwable> refused = new ArrayList<>();
            Supplier<String> close = () -> {
                refused.add(catchThrowable(() -> Activity.dormouse().close()));
                return "goes on";
            };
            Dormouse dormouse = sim.open(node -> SimulatedDormouse.echo(node)
                    .workflow(
                            "w", String.class, String.class, (ctx, input) -> ctx.step("s", String.class, close::get)));
            assertThat(sim.result(dormouse.start("w", "w", String.class, ""))).isEqualTo("goes on");
            assertThat(refused).hasSize(1).allSatisfy(problem -> assertClear(problem, ErrorCode.NOT_ALLOWED_HERE));
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void activityMayCloseAnotherNode() {
        simulate(sim -> {
            Dormouse other = sim.open(SimulatedDormouse::echo);
            Dormouse dormouse = sim.open(node -> SimulatedDormouse.echo(node)
                    .workflow(
                            "w",
                            String.class,
                            String.class,
                            (ctx, input) -> ctx.step("s", String.class, () -> {
                                other.close();
                                return "closed";
                            })));
            assertThat(sim.result(dormouse.start("w", "w", String.class, ""))).isEqualTo("closed");
            assertClear(catchThrowable(() -> other.start("echo", "e", String.class, "x")), ErrorCode.DORMOUSE_CLOSED);
        });
    }
}
