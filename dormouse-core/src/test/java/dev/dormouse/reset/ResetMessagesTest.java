package dev.dormouse.reset;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.StartOptions;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.CancelledException;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Box;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Signals, updates and cancel requests of runs that are reset. */
class ResetMessagesTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private static Dormouse boxes(SimulatedDormouse sim) {
        return sim.open(node -> SimulatedDormouse.echo(node).workflow(Box.class, Box.Open::new));
    }

    private static WorkflowHandle<String> start(Dormouse dormouse) {
        Box box = dormouse.workflow(Box.class, "b");
        return dormouse.start(() -> box.run("x"));
    }

    private static int eventsUntil(WorkflowHandle<?> handle, String kind) {
        return Scenario.kinds(handle).indexOf(kind);
    }

    @Test
    void signalsAfterThePointComeInOrderAndBeforeLaterOnes() {
        for (int cut = 1; cut <= 4; cut++) {
            int shared = cut;
            simulate(sim -> {
                Dormouse dormouse = boxes(sim);
                WorkflowHandle<String> old = start(dormouse);
                for (String text : List.of("a", "b", "c")) {
                    old.signal("put", text);
                    sim.advance(MINUTE);
                }
                old.terminate("stop");
                WorkflowHandle<String> next = old.reset(shared);
                next.signal("put", "d");
                next.signal("end");
                assertThat(sim.result(next)).isEqualTo("a,b,c,d");
            });
        }
    }

    @Test
    void mailThatTheOldRunNeverReadGoesToTheNewOne() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.step("slow", () -> sim.advance(sim.count("mended") == 0 ? HOUR : SECOND));
                return ctx.waitForSignal(MINUTE).orElseThrow().name()
                        + ctx.waitForSignal(MINUTE).orElseThrow().name();
            });
            WorkflowHandle<String> old = Scenario.start(dormouse);
            sim.advance(SECOND);
            old.signal("one");
            old.signalOnce("key", "two");
            old.terminate("stop");
            sim.log("mended");
            WorkflowHandle<String> next = old.reset(1);
            next.signalOnce("key", "two");
            assertThat(sim.result(next)).isEqualTo("onetwo");
        });
    }

    @Test
    void mailForEarlierRunsOfTheWorkflowIdStaysTheirs() {
        simulate(sim -> {
            Dormouse dormouse = boxes(sim);
            WorkflowHandle<String> first = start(dormouse);
            first.signal("put", "for the first");
            first.signal("end");
            sim.result(first);
            Box box = dormouse.workflow(Box.class, "b", StartOptions.DEFAULT.withIdReuse(IdReuse.START_NEW));
            WorkflowHandle<String> second = dormouse.start(() -> box.run("x"));
            sim.awaitStatus(second, RunStatus.WAITING);
            WorkflowHandle<String> third = second.reset(1);
            third.signal("put", "a");
            sim.awaitStatus(third, RunStatus.WAITING);
            WorkflowHandle<String> fourth = third.reset(1);
            fourth.signal("put", "b");
            fourth.signal("end");
            assertThat(sim.result(fourth)).isEqualTo("a,b");
        });
    }

    @Test
    void updateBeforeThePointKeepsItsAnswerAndOneAfterItIsAnsweredAnew() {
        simulate(sim -> {
            Dormouse dormouse = boxes(sim);
            Dormouse client = sim.open(node -> node.remoteWorkflow(Box.class));
            WorkflowHandle<String> old = start(dormouse);
            old.updateOnce("1", MINUTE, "change", String.class, "a");
            int shared = old.history().size();
            old.updateOnce("2", MINUTE, "change", String.class, "b");
            old.terminate("stop");
            WorkflowHandle<String> next = old.reset(shared);
            for (Dormouse asked : List.of(dormouse, client)) {
                WorkflowHandle<String> handle = asked.find("b", String.class).orElseThrow();
                assertThat(handle.updateOnce("1", MINUTE, "change", String.class, "x"))
                        .isEqualTo("changed to a");
                assertThat(handle.updateOnce("2", MINUTE, "change", String.class, "x"))
                        .isEqualTo("changed to b");
            }
            next.signal("end");
            assertThat(sim.result(next)).isEqualTo("a,b");
            assertThat(Scenario.kinds(next).stream().filter("UpdateAnswered"::equals))
                    .hasSize(2);
        });
    }

    @Test
    void updateThatTheEndRefusedIsAnsweredByTheNewRun() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(Box.class, () -> new Box.Open() {
                @Override
                public String change(String text) {
                    Workflow.await(() -> ended && sim.count("mended") > 0);
                    return "changed to " + text;
                }

                @Override
                public String run(String input) {
                    Workflow.await(() -> ended);
                    if (sim.count("mended") == 0) {
                        throw new IllegalStateException("a mistake");
                    }
                    Workflow.sleep(MINUTE);
                    return "done";
                }
            }));
            WorkflowHandle<String> old = start(dormouse);
            sim.inBackground(() -> {
                try {
                    old.updateOnce("1", MINUTE, "change", String.class, "a");
                } catch (RuntimeException refused) {
                    sim.log("refused");
                }
            });
            sim.await("the update", () -> Scenario.kinds(old).contains("MailReceived"));
            old.signal("end");
            sim.failure(old);
            sim.await("the answer", () -> sim.count("refused") == 1);
            assertThat(Scenario.kinds(old)).endsWith("UpdateAnswered", "RunFailed");
            sim.log("mended");
            WorkflowHandle<String> next = old.retry();
            assertThat(next.updateOnce("1", MINUTE, "change", String.class, "a"))
                    .isEqualTo("changed to a");
            assertThat(sim.result(next)).isEqualTo("done");
        });
    }

    private static Dormouse cleaner(SimulatedDormouse sim) {
        return Scenario.open(sim, (ctx, input) -> {
            ctx.step("a", () -> sim.log("a"));
            try {
                ctx.waitForSignal(HOUR);
                return "done";
            } catch (CancelledException cancelled) {
                ctx.newDetachedCancellationScope(() -> {
                            ctx.step("clean", () -> sim.log("clean"));
                            ctx.sleep(MINUTE);
                        })
                        .run();
                throw cancelled;
            }
        });
    }

    @Test
    void requestToCancelAfterThePointIsDropped() {
        simulate(sim -> {
            Dormouse dormouse = cleaner(sim);
            WorkflowHandle<String> old = Scenario.start(dormouse);
            sim.awaitStatus(old, RunStatus.WAITING);
            old.cancel("stop");
            sim.awaitStatus(old, RunStatus.CANCELLED);
            WorkflowHandle<String> next = old.reset(2);
            sim.awaitStatus(next, RunStatus.WAITING);
            next.signal("go");
            assertThat(sim.result(next)).isEqualTo("done");
            assertThat(sim.log()).containsExactly("a", "clean");
        });
    }

    @Test
    void requestToCancelBeforeThePointStillCounts() {
        simulate(sim -> {
            Dormouse dormouse = cleaner(sim);
            WorkflowHandle<String> old = Scenario.start(dormouse);
            sim.awaitStatus(old, RunStatus.WAITING);
            old.cancel("stop");
            sim.awaitStatus(old, RunStatus.CANCELLED);
            WorkflowHandle<String> next = old.reset(eventsUntil(old, "MailReceived") + 1);
            sim.awaitStatus(next, RunStatus.CANCELLED);
            next = next.reset(eventsUntil(next, "MailReceived") + 1);
            sim.awaitStatus(next, RunStatus.CANCELLED);
            assertThat(sim.log()).containsExactly("a", "clean", "clean", "clean");
        });
    }

    @Test
    void newRunCanBeCancelledThoughTheOldOneWas() {
        simulate(sim -> {
            Dormouse dormouse = cleaner(sim);
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            for (int i = 0; i < 3; i++) {
                sim.awaitStatus(handle, RunStatus.WAITING);
                handle.cancel("stop");
                sim.awaitStatus(handle, RunStatus.CANCELLED);
                handle = handle.reset(2);
            }
            assertThat(sim.log()).containsExactly("a", "clean", "clean", "clean");
        });
    }

    @Test
    void crowdedInboxIsReadAgainToItsEnd() {
        simulate(sim -> {
            Dormouse dormouse = boxes(sim);
            WorkflowHandle<String> old = start(dormouse);
            for (int i = 0; i < 1_500; i++) {
                old.signal("add", i);
            }
            sim.awaitStatus(old, RunStatus.WAITING);
            WorkflowHandle<String> next = old.reset(1);
            next.signal("end");
            assertThat(sim.result(next).split(","))
                    .hasSize(1_500)
                    .startsWith("0", "1")
                    .endsWith("1498", "1499");
        });
    }
}
