package dev.dormouse.message;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.Signal;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.support.Box;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Signals that workflow code takes one by one. */
class WaitForSignalTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private static Dormouse open(SimulatedDormouse sim, WorkflowFunction<String, String> code) {
        return sim.open(node -> SimulatedDormouse.echo(node).workflow("w", String.class, String.class, code));
    }

    private static WorkflowHandle<String> start(Dormouse dormouse) {
        return dormouse.start("w", "w", String.class, "");
    }

    private static String text(Optional<Signal> signal) {
        return signal.map(got -> got.name() + (got.size() == 0 ? "" : "=" + got.value(String.class)))
                .orElse("-");
    }

    @Test
    void signalsAreKeptInOrderAndTakenByNameOrNot() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                ctx.sleep(HOUR);
                List<String> got = new ArrayList<>();
                got.add(text(ctx.waitForSignal("c", HOUR)));
                got.add(text(ctx.waitForSignal(HOUR)));
                got.add(text(ctx.waitForSignal("b", Duration.ZERO)));
                got.add(text(ctx.waitForSignal("nobody", Duration.ofSeconds(-1))));
                got.add(text(ctx.waitForSignal("nobody", SECOND)));
                got.add(text(ctx.waitForSignal(Duration.ZERO)));
                got.add(text(ctx.waitForSignal(HOUR)));
                got.add(text(ctx.waitForSignal(HOUR)));
                return String.join(",", got);
            });
            WorkflowHandle<String> handle = start(dormouse);
            for (String name : List.of("a", "b", "c", "a", "b")) {
                handle.signal(name, name + sim.elapsed().toMillis() * 0);
            }
            assertThat(sim.result(handle)).isEqualTo("c=c0,a=a0,b=b0,-,-,a=a0,b=b0,-");
        });
    }

    @Test
    void manyWaitsForManySignalsKeepOrderAcrossKillsAndEvictions() {
        simulate(sim -> {
            WorkflowFunction<String, String> code = (ctx, input) -> {
                List<String> got = new ArrayList<>();
                while (got.size() < 40) {
                    ctx.waitForSignal(Duration.ofMinutes(5)).ifPresent(signal -> got.add(signal.value(String.class)));
                    if (got.size() % 7 == 0) {
                        ctx.step("s", () -> sim.advance(SECOND));
                    }
                }
                return String.join(",", got);
            };
            Dormouse dormouse = open(sim, code);
            start(dormouse);
            Dormouse client = sim.open(node -> node.remoteWorkflow("w"));
            WorkflowHandle<String> handle = client.find("w", String.class).orElseThrow();
            List<String> sent = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                handle.signal("s", "" + i);
                sent.add("" + i);
                if (i % 6 == 0) {
                    sim.advance(Duration.ofMinutes(7));
                } else if (i % 6 == 3) {
                    sim.kill(dormouse);
                    dormouse = open(sim, code);
                }
            }
            assertThat(sim.result(handle)).isEqualTo(String.join(",", sent));
        });
    }

    @Test
    void timeoutFiresEvenWhenTheProcessWasKilledAndRestartedAfterTheDeadline() {
        for (Duration time : List.of(SECOND.multipliedBy(3), HOUR)) {
            simulate(sim -> {
                WorkflowFunction<String, String> code =
                        (ctx, input) -> text(ctx.waitForSignal(time)) + text(ctx.waitForSignal("x", time));
                Dormouse dormouse = open(sim, code);
                WorkflowHandle<String> handle = start(dormouse);
                sim.advance(SECOND);
                sim.kill(dormouse);
                sim.advance(HOUR.multipliedBy(5));
                WorkflowHandle<String> there =
                        open(sim, code).find("w", String.class).orElseThrow();
                assertThat(there.runId()).isEqualTo(handle.runId());
                assertThat(sim.result(there)).isEqualTo("--");
                assertThat(there.history())
                        .filteredOn(event -> event.kind().equals("WaitTimedOut"))
                        .hasSize(2);
            });
        }
    }

    @Test
    void coroutinesThatWaitAtOnceEachGetTheirOwnSignal() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                List<Promise<String>> waits = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    waits.add(ctx.async(() -> text(ctx.waitForSignal(HOUR))));
                }
                waits.add(ctx.async(() -> text(ctx.waitForSignal("late", HOUR))));
                return String.join(",", Promise.allOf(waits).get());
            });
            WorkflowHandle<String> handle = start(dormouse);
            sim.advance(SECOND);
            for (String name : List.of("a", "b", "c")) {
                handle.signal(name);
                sim.advance(Duration.ofMinutes(1));
            }
            handle.signal("late");
            assertThat(sim.result(handle)).isEqualTo("a,b,c,late");
        });
    }

    @Test
    void coroutineDoesNotComeBackEmptyBeforeItsTimeBecauseAnotherTookTheSignal() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                Promise<String> one = ctx.async(() -> text(ctx.waitForSignal(HOUR)) + ctx.now());
                Promise<String> two = ctx.async(() -> text(ctx.waitForSignal(HOUR)) + ctx.now());
                var begin = ctx.now();
                one.await(HOUR.multipliedBy(2));
                two.await(HOUR.multipliedBy(2));
                return Duration.between(begin, ctx.now()).toMinutes()
                        + one.get().substring(0, 1)
                        + two.get().substring(0, 1);
            });
            WorkflowHandle<String> handle = start(dormouse);
            sim.advance(Duration.ofMinutes(1));
            handle.signal("a");
            assertThat(sim.result(handle)).isEqualTo("60a-");
        });
    }

    @Test
    void signalsThatCameDuringALongStepAreThereAfterIt() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                Box.Open.longStep(sim, "long", SECOND.multipliedBy(40));
                return text(ctx.waitForSignal(Duration.ZERO)) + text(ctx.waitForSignal(SECOND));
            });
            WorkflowHandle<String> handle = start(dormouse);
            sim.advance(SECOND);
            handle.signal("a");
            handle.signal("b");
            assertThat(sim.result(handle)).isEqualTo("ab");
        });
    }

    @Test
    void pollingWithZeroInALoopOfStepsSeesSignalsAsTheyCome() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                for (int i = 0; i < 30; i++) {
                    Optional<Signal> stop = ctx.waitForSignal("stop", Duration.ZERO);
                    if (stop.isPresent()) {
                        return "stopped";
                    }
                    ctx.step("work", () -> sim.advance(SECOND.multipliedBy(5)));
                }
                return "never stopped";
            });
            WorkflowHandle<String> handle = start(dormouse);
            sim.advance(SECOND.multipliedBy(12));
            handle.signal("stop");
            assertThat(sim.result(handle)).isEqualTo("stopped");
            assertThat(sim.elapsed()).isLessThan(SECOND.multipliedBy(30));
        });
    }

    @Test
    void signalsThatWereNotTakenGoToTheNextRunOrAreDroppedButNeverArriveTwice() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                String got = text(ctx.waitForSignal(HOUR));
                ctx.sleep(SECOND.multipliedBy(30));
                if (input.length() < 6) {
                    ctx.continueAsNew(input + got);
                }
                return input + got;
            });
            WorkflowHandle<String> first = start(dormouse);
            for (int i = 0; i < 8; i++) {
                first.signal("" + i);
            }
            sim.await(
                    "the end",
                    () -> dormouse.find("w", String.class)
                            .filter(handle -> handle.describe().status().name().equals("COMPLETED"))
                            .isPresent());
            String all = sim.result(dormouse.find("w", String.class).orElseThrow());
            assertThat(all.replace("-", "").chars()).doesNotHaveDuplicates().isSorted();
            assertThat(all).isEqualTo("0123456");
        });
    }

    @Test
    void valuesOfASignalAreReadAsTheTypesThatAreAskedFor() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                Signal signal = ctx.waitForSignal(HOUR).orElseThrow();
                assertThat(signal.size()).isEqualTo(3);
                assertThat(signal.value(0, Integer.class)).isEqualTo(1);
                assertThat(signal.value(1, Object.class)).isNull();
                assertThat(signal.value(2, Box.Item.class)).isEqualTo(new Box.Item("x", 2));
                return "fine";
            });
            WorkflowHandle<String> handle = start(dormouse);
            handle.signal("s", 1, null, new Box.Item("x", 2));
            assertThat(sim.result(handle)).isEqualTo("fine");
        });
    }

    @Test
    void argumentThatWasNotSentIsAClearError() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                Signal signal = ctx.waitForSignal(HOUR).orElseThrow();
                Throwable problem = catchThrowable(() -> signal.value(1, String.class));
                return String.valueOf(problem.getMessage());
            });
            WorkflowHandle<String> handle = start(dormouse);
            handle.signal("s", 1);
            assertThat(sim.result(handle)).matches("\\[DM\\d{4}\\] Expected .+, but .+");
        });
    }
}
