package dev.dormouse.reset;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.inspect.HistoryEvent;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Box;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A run with all kinds of events, reset to each of them. */
class ResetToEachEventTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    /** Executes all operations that record events, and returns a result that must not change. */
    private static final class Rich extends Box.Open {
        private final SimulatedDormouse sim;

        Rich(SimulatedDormouse sim) {
            this.sim = sim;
        }

        @Override
        public String run(String input) {
            if (input.equals("first")) {
                Workflow.sleep(SECOND);
                Workflow.continueAsNew("second");
            }
            String all =
                    input + " " + Workflow.randomUuid() + " " + Workflow.info().runId();
            all += step("a");
            all += Workflow.version("change", 0, 1);
            Workflow.sleep(MINUTE);
            all += Workflow.randomUuid();
            Workflow.await(() -> seen.size() >= 3);
            Promise<String> kid = Workflow.child("kid", "kid-" + input, String.class, "x");
            Promise<String> beside = Workflow.async(() -> step("b"));
            Promise<Void> timer = Workflow.newTimer(SECOND);
            all += kid.get() + beside.get();
            timer.get();
            all += Workflow.await(SECOND, () -> seen.size() > 3);
            Workflow.signal("echo", "note", all);
            try {
                Workflow.step("bad", () -> {
                    throw new IllegalStateException("always");
                });
            } catch (ActivityFailedException expected) {
                all += "caught";
            }
            return all + step("c") + Workflow.randomUuid() + seen;
        }

        private String step(String name) {
            return Workflow.step(name, String.class, () -> {
                sim.log(name);
                return name;
            });
        }
    }

    private static Dormouse rich(SimulatedDormouse sim) {
        return sim.open(node -> SimulatedDormouse.echo(node)
                .workflow(Box.class, () -> new Rich(sim))
                .workflow("kid", String.class, String.class, (ctx, input) -> {
                    ctx.sleep(Duration.ofSeconds(20));
                    return ctx.step("kid", String.class, () -> {
                        sim.log("kid");
                        return "kid";
                    });
                }));
    }

    private static WorkflowHandle<String> latest(Dormouse dormouse) {
        return dormouse.find("b", String.class).orElseThrow();
    }

    private static WorkflowHandle<String> completed(SimulatedDormouse sim, Dormouse dormouse, String input) {
        Box box = dormouse.workflow(Box.class, "b");
        WorkflowHandle<String> handle = dormouse.start(() -> box.run(input));
        sim.advance(Duration.ofSeconds(2));
        handle.signal("put", "one");
        assertThat(handle.update("change", String.class, "two")).isEqualTo("changed to two");
        sim.advance(HOUR);
        handle.signal("put", "three");
        sim.result(handle);
        return latest(dormouse);
    }

    @Test
    void richHistoryCanBeResetToEachOfItsEvents() {
        for (String input : List.of("first", "only")) {
            AtomicReference<Integer> most = new AtomicReference<>(1);
            for (int events = 1; events <= most.get(); events++) {
                int shared = events;
                simulate(sim -> {
                    Dormouse dormouse = rich(sim);
                    WorkflowHandle<String> old = completed(sim, dormouse, input);
                    String result = sim.result(old);
                    List<HistoryEvent> history = old.history();
                    most.set(history.size() - 1);
                    WorkflowHandle<String> next = old.reset(shared);
                    assertThat(next.runId()).isNotEqualTo(old.runId());
                    assertThat(sim.result(next))
                            .as("%s events of %s", shared, old.history())
                            .isEqualTo(result);
                    assertThat(next.history().subList(1, shared)).isEqualTo(history.subList(1, shared));
                    assertThat(next.history().get(0).summary())
                            .endsWith("with the first " + shared + " events of run " + old.runId());
                    assertThat(old.history()).isEqualTo(history);
                    assertThat(old.describe().status()).isEqualTo(RunStatus.COMPLETED);
                    assertThat(latest(dormouse).runId()).isEqualTo(next.runId());
                    sim.assertStillWorks(dormouse);
                });
            }
            assertThat(most.get()).isGreaterThan(15);
        }
    }

    @Test
    void resetOfAResetOfAResetIsStillTheSameToItsCode() {
        simulate(sim -> {
            Dormouse dormouse = rich(sim);
            WorkflowHandle<String> handle = completed(sim, dormouse, "only");
            String result = sim.result(handle);
            int most = handle.history().size() - 1;
            for (int events = most; events >= 1; events--) {
                handle = handle.reset(events);
                assertThat(sim.result(handle)).as("%s events", events).isEqualTo(result);
            }
            for (int events = 1; events <= most; events++) {
                handle = handle.reset(events);
                assertThat(sim.result(handle)).as("%s events", events).isEqualTo(result);
            }
        });
    }
}
