package dev.dormouse.message;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.Signal;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Box;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Signals from one workflow to another, and signals that arrive while a run closes. */
class WorkflowSignalTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private static Dormouse open(SimulatedDormouse sim, WorkflowFunction<String, String> sender) {
        return sim.open(node -> SimulatedDormouse.echo(node)
                .payloadLimit(1_000)
                .workflow(Box.class, Box.Open::new)
                .workflow("sender", String.class, String.class, sender));
    }

    private static WorkflowHandle<String> startBox(Dormouse dormouse) {
        Box box = dormouse.workflow(Box.class, "b");
        return dormouse.start(() -> box.run(""));
    }

    private static String numbers(int to) {
        return String.join(",", IntStream.range(0, to).mapToObj(i -> "" + i).toList());
    }

    @Test
    void signalsOfAWorkflowArriveOnceAndInOrderIncludingThoseJustBeforeItsEnd() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                for (int i = 0; i < 20; i++) {
                    ctx.signal("b", "put", "" + i);
                    if (i % 5 == 0) {
                        ctx.sleep(SECOND.multipliedBy(i));
                    }
                }
                ctx.signal("b", "end");
                return "sent";
            });
            WorkflowHandle<String> box = startBox(dormouse);
            assertThat(sim.result(dormouse.start("sender", "s", String.class, "")))
                    .isEqualTo("sent");
            assertThat(sim.result(box)).isEqualTo(numbers(20));
        });
    }

    @Test
    void signalsOfAWorkflowWhoseNodeDiesAgainAndAgainArriveOnceAndInOrder() {
        simulate(sim -> {
            WorkflowFunction<String, String> code = (ctx, input) -> {
                for (int i = 0; i < 12; i++) {
                    ctx.signal("b", "put", "" + i);
                    ctx.step("s" + i, () -> sim.advance(SECOND.multipliedBy(3)));
                }
                return "sent";
            };
            Dormouse reader = sim.open(node -> node.workflow(Box.class, Box.Open::new));
            WorkflowHandle<String> box = startBox(reader);
            Dormouse dormouse = open(sim, code);
            dormouse.start("sender", "s", String.class, "");
            for (int i = 0; i < 4; i++) {
                sim.advance(SECOND.multipliedBy(5 + i));
                sim.kill(dormouse);
                dormouse = open(sim, code);
            }
            Dormouse last = dormouse;
            assertThat(sim.result(last.find("s", String.class).orElseThrow())).isEqualTo("sent");
            sim.advance(SECOND.multipliedBy(30));
            box.signal("end");
            assertThat(sim.result(box)).isEqualTo(numbers(12));
        });
    }

    @Test
    void signalToAMissingRunDoesNotHarmTheSender() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                ctx.signal("nobody", "put", "x");
                ctx.signal("b", "put", "too late");
                ctx.sleep(HOUR);
                ctx.signal("nobody", "put", "x");
                return "sent";
            });
            WorkflowHandle<String> box = startBox(dormouse);
            box.signal("end");
            sim.result(box);
            assertThat(sim.result(dormouse.start("sender", "s", String.class, "")))
                    .isEqualTo("sent");
            assertThat(sim.result(box)).isEmpty();
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void workflowSignalsItself() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                ctx.signal(ctx.info().workflowId(), "me", "hello");
                Optional<Signal> got = ctx.waitForSignal(HOUR);
                return got.map(signal -> signal.value(String.class)).orElse("nothing");
            });
            assertThat(sim.result(dormouse.start("sender", "s", String.class, "")))
                    .isEqualTo("hello");
            assertThat(sim.elapsed()).isLessThan(SECOND.multipliedBy(30));
        });
    }

    @Test
    void twoWorkflowsPlayPingPongAcrossNodes() {
        simulate(sim -> {
            WorkflowFunction<String, String> player = (ctx, other) -> {
                int last = 0;
                if (other.equals("b")) {
                    ctx.signal(other, "ball", 1);
                }
                while (last < 40) {
                    Optional<Signal> ball = ctx.waitForSignal("ball", HOUR);
                    last = ball.orElseThrow().value(Integer.class);
                    ctx.signal(other, "ball", last + 1);
                }
                return "" + last;
            };
            Dormouse one = open(sim, player);
            Dormouse two = open(sim, player);
            WorkflowHandle<String> b = one.start("sender", "b", String.class, "a");
            WorkflowHandle<String> a = two.start("sender", "a", String.class, "b");
            assertThat(List.of(sim.result(a), sim.result(b))).containsExactlyInAnyOrder("40", "41");
        });
    }

    private static void assertRefused(ErrorCode code, WorkflowFunction<String, String> sender) {
        simulate(sim -> {
            Dormouse dormouse = open(sim, sender);
            WorkflowHandle<String> handle = dormouse.start("sender", "s", String.class, "");
            sim.advance(SECOND.multipliedBy(30));
            assertThat(handle.describe().status()).isEqualTo(RunStatus.FAILED);
            assertClear(sim.failure(handle).getMessage(), code);
            sim.assertStillWorks(dormouse);
        });
    }

    private static WorkflowFunction<String, String> sending(String id, String name, Object argument) {
        return (ctx, input) -> {
            ctx.signal(id, name, argument);
            return "sent";
        };
    }

    @Test
    void badSignalOfAWorkflowIsAnErrorInItsCode() {
        assertRefused(ErrorCode.BAD_ARGUMENT, sending("", "put", "x"));
        assertRefused(ErrorCode.BAD_ARGUMENT, sending("x".repeat(501), "put", "x"));
        assertRefused(ErrorCode.PAYLOAD_TOO_LARGE, sending("b", "put", "x".repeat(2_000)));
        assertRefused(ErrorCode.PAYLOAD_NOT_SERIALIZABLE, sending("b", "put", new BadSignalTest.Moody()));
    }

    @Test
    void badNameOfASignalOfAWorkflowIsAnErrorInItsCode() {
        assertRefused(ErrorCode.BAD_ARGUMENT, sending("b", "", "x"));
        assertRefused(ErrorCode.BAD_ARGUMENT, sending("b", "a\0b", "x"));
        assertRefused(ErrorCode.BAD_ARGUMENT, sending("b", "x".repeat(501), "x"));
    }

    @Test
    void signalOfAWorkflowWithoutANameIsAnErrorInItsCode() {
        assertRefused(ErrorCode.BAD_ARGUMENT, sending("b", null, "x"));
    }

    @Test
    void stormOfSignalsDoesNotKeepARunFromClosing() {
        simulate(sim -> {
            Dormouse worker = sim.open(node -> node.workflow(Box.class, Box.Open::new));
            WorkflowHandle<String> handle = startBox(worker);
            List<Dormouse> clients = new ArrayList<>();
            int[] accepted = {0};
            int[] refused = {0};
            for (int i = 0; i < 4; i++) {
                clients.add(sim.open(node -> node.remoteWorkflow(Box.class)));
            }
            for (Dormouse client : clients) {
                sim.inBackground(() -> {
                    try {
                        while (accepted[0] < 3_000) {
                            client.workflow(Box.class, "b").put("x");
                            accepted[0]++;
                        }
                    } catch (DormouseException closed) {
                        refused[0]++;
                    }
                });
            }
            sim.advance(Duration.ofMillis(50));
            handle.signal("end");
            sim.await("the close", () -> handle.describe().closedAt().isPresent());
            assertThat(accepted[0]).isLessThan(2_000);
        });
    }
}
