package dev.dormouse.recovery;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.Dormouse;
import dev.dormouse.StartOptions;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.run.RunTransition;
import dev.dormouse.support.Box;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of a run's transitions: every one is visited, and no other. */
class RunTransitionTest {
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofHours(1);

    private final Set<List<RunStatus>> visited = new HashSet<>();

    private void visit(Consumer<SimulatedDormouse> story) {
        simulate(sim -> {
            story.accept(sim);
            visited.addAll(sim.store().statusChanges());
        });
    }

    /** Runs code at once, and after a short wait in memory. */
    private void visitBoth(Runnable end, RunStatus expected) {
        for (boolean waits : List.of(false, true)) {
            visit(sim -> {
                Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                    if (waits) {
                        ctx.sleep(SHORT);
                    }
                    end.run();
                    return "done";
                });
                sim.awaitStatus(Scenario.start(dormouse), expected);
            });
        }
    }

    private void visitCompleted() {
        visitBoth(() -> {}, RunStatus.COMPLETED);
    }

    private void visitFailed() {
        visitBoth(
                () -> {
                    throw new IllegalStateException("as it should");
                },
                RunStatus.FAILED);
    }

    private void visitStuck() {
        visitBoth(
                () -> {
                    throw new OutOfMemoryError("as it should");
                },
                RunStatus.STUCK);
        visit(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                throw new OutOfMemoryError("as it should");
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.awaitStatus(handle, RunStatus.STUCK);
            sim.advance(LONG); // it is tried again meanwhile
            sim.awaitStatus(handle, RunStatus.STUCK);
            handle.terminate("enough");
        });
    }

    private void visitTimedOut() {
        for (Duration timeout : List.of(SHORT, LONG)) {
            visit(sim -> {
                Dormouse dormouse = sleeper(sim, LONG.multipliedBy(2));
                StartOptions options = StartOptions.DEFAULT.withExecutionTimeout(timeout);
                sim.awaitStatus(dormouse.start("w", "w", options, String.class, ""), RunStatus.TIMED_OUT);
            });
        }
    }

    private void visitCanceled() {
        for (Duration wait : List.of(Duration.ofSeconds(4), LONG)) {
            visit(sim -> {
                WorkflowHandle<String> handle = Scenario.start(sleeper(sim, wait));
                sim.advance(SHORT);
                handle.cancel("as it should");
                sim.awaitStatus(handle, RunStatus.CANCELLED);
            });
        }
        visit(sim -> {
            Dormouse dormouse = sleeper(sim, LONG);
            StartOptions options = StartOptions.DEFAULT.withStartDelay(LONG);
            WorkflowHandle<String> handle = dormouse.start("w", "w", options, String.class, "");
            handle.cancel("as it should");
            sim.awaitStatus(handle, RunStatus.CANCELLED);
        });
    }

    private void visitTerminated() {
        for (Duration wait : List.of(Duration.ofSeconds(4), LONG)) {
            visit(sim -> {
                WorkflowHandle<String> handle = Scenario.start(sleeper(sim, wait));
                sim.advance(SHORT);
                handle.terminate("as it should");
            });
        }
        visit(sim -> {
            Dormouse dormouse = sleeper(sim, LONG);
            StartOptions options = StartOptions.DEFAULT.withStartDelay(LONG);
            dormouse.start("w", "w", options, String.class, "").terminate("as it should");
        });
        visit(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.step("long", () -> sim.advance(LONG));
                return "late";
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(SHORT);
            handle.terminate("as it should");
        });
    }

    private void visitContinued() {
        for (boolean waits : List.of(false, true)) {
            visit(sim -> {
                Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                    if (waits) {
                        ctx.sleep(SHORT);
                    }
                    if (input.isEmpty()) {
                        ctx.continueAsNew("second");
                    }
                    return "done";
                });
                assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("done");
            });
        }
    }

    private void visitPaused() {
        visit(sim -> assertThat(sim.result(Scenario.start(sleeper(sim, LONG)))).isEqualTo("late"));
        visit(sim -> {
            StartOptions options = StartOptions.DEFAULT.withStartDelay(LONG);
            assertThat(sim.result(sleeper(sim, LONG).start("w", "w", options, String.class, "")))
                    .isEqualTo("late");
        });
        visit(
                sim -> { // a step after a wait in memory
                    Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                        ctx.sleep(SHORT);
                        ctx.step("one", () -> {});
                        return "done";
                    });
                    assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("done");
                });
        visit(
                sim -> { // code that does not fit, found by a run that waits in memory, while a node with another build
                    // lives
                    Dormouse first = sim.open(node -> node.buildId("1").workflow(Box.class, Napping::new));
                    sim.open(node -> node.buildId("2").workflow(Box.class, Napping::new));
                    Dormouse client = sim.open(node -> node.remoteWorkflow(Box.class));
                    Box box = first.workflow(Box.class, "b");
                    first.start(() -> box.run("x"));
                    sim.advance(SHORT);
                    WorkflowHandle<String> handle =
                            client.find("b", String.class).orElseThrow();
                    handle.signal("add", "no number");
                    sim.awaitStatus(handle, RunStatus.STUCK);
                });
        visit(
                sim -> { // a node that closes gives back a run between two steps
                    Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                        ctx.step("one", () -> sim.advance(SHORT));
                        ctx.step("two", () -> sim.advance(SHORT));
                        return "done";
                    });
                    Scenario.start(dormouse);
                    sim.advance(SHORT.dividedBy(2));
                    dormouse.close();
                });
        visit(
                sim -> { // a node that closes while a run waits in its memory
                    Dormouse dormouse = sleeper(sim, Duration.ofSeconds(4));
                    Scenario.start(dormouse);
                    sim.advance(SHORT);
                    dormouse.close();
                });
    }

    private static final class Napping extends Box.Open {
        @Override
        public String run(String input) {
            Workflow.sleep(Duration.ofSeconds(4));
            return "late";
        }
    }

    private static Dormouse sleeper(SimulatedDormouse sim, Duration wait) {
        return Scenario.open(sim, (ctx, input) -> {
            ctx.sleep(wait);
            return "late";
        });
    }

    @Test
    void everyDeclaredTransitionIsVisitedAndNoOther() {
        visitCompleted();
        visitFailed();
        visitStuck();
        visitTimedOut();
        visitCanceled();
        visitTerminated();
        visitContinued();
        visitPaused();
        Set<List<RunStatus>> declared = RunTransition.TABLE.stream()
                .map(transition -> List.of(transition.from(), transition.to()))
                .collect(Collectors.toSet());
        assertThat(visited).containsExactlyInAnyOrderElementsOf(declared);
    }

    @Test
    void otherTransitionsAreRefused() {
        RunTransition.check(RunStatus.RUNNING, RunStatus.RUNNING);
        assertThatThrownBy(() -> RunTransition.check(RunStatus.WAITING, RunStatus.PARKED))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("WAITING to PARKED");
        assertThatThrownBy(() -> RunTransition.check(RunStatus.COMPLETED, RunStatus.COMPLETED))
                .isInstanceOf(IllegalStateException.class);
    }
}
