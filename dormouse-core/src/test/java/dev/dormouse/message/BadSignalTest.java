package dev.dormouse.message;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.Signal;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Box;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Invalid signals: the sender gets a clear error, and the run is unharmed. */
class BadSignalTest {
    private static final int LIMIT = 1_000;
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** A value whose getter throws. */
    public static class Moody {
        public String getMood() {
            throw new IllegalStateException("not today");
        }
    }

    private static Dormouse open(SimulatedDormouse sim) {
        return sim.open(node -> SimulatedDormouse.echo(node)
                .payloadLimit(LIMIT)
                .workflow(Box.class, Box.Open::new)
                .workflow("f", String.class, String.class, (ctx, input) -> {
                    if (input.equals("fail")) {
                        throw new IllegalStateException("as asked");
                    }
                    return ctx.waitForSignal(Duration.ofHours(1))
                            .map(Signal::name)
                            .orElse("nothing");
                }));
    }

    private static WorkflowHandle<String> start(Dormouse dormouse) {
        Box box = dormouse.workflow(Box.class, "b");
        return dormouse.start(() -> box.run("x"));
    }

    private static void assertRefused(ErrorCode code, Consumer<WorkflowHandle<String>> call) {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> handle = start(dormouse);
            sim.advance(MINUTE);
            assertClear(catchThrowable(() -> call.accept(handle)), code);
            assertUnharmed(sim, handle, "ok");
            sim.assertStillWorks(dormouse);
        });
    }

    private static void assertUnharmed(SimulatedDormouse sim, WorkflowHandle<String> handle, String result) {
        handle.signal("put", "ok");
        handle.signal("end");
        assertThat(sim.result(handle)).isEqualTo(result);
    }

    @Test
    void unknownSignalOfAnInterfaceIsRefused() {
        assertRefused(ErrorCode.UNKNOWN_SIGNAL, handle -> handle.signal("nonsense", "x"));
        assertRefused(ErrorCode.UNKNOWN_SIGNAL, handle -> handle.signal("putItems", List.of(), Map.of()));
        assertRefused(ErrorCode.UNKNOWN_SIGNAL, handle -> handle.signal("PUT", "x"));
        assertRefused(ErrorCode.UNKNOWN_SIGNAL, handle -> handle.signal("seen"));
        assertRefused(ErrorCode.UNKNOWN_SIGNAL, handle -> handle.signal("run", "x"));
    }

    @Test
    void signalWithoutANameIsRefused() {
        assertRefused(ErrorCode.BAD_ARGUMENT, handle -> handle.signal("", "x"));
    }

    @Test
    void signalWhoseNameIsNullIsRefusedWithACode() {
        assertRefused(ErrorCode.BAD_ARGUMENT, handle -> handle.signal(null, "x"));
    }

    @Test
    void signalOfAFunctionWithoutANameIsRefusedWithACode() {
        for (String name : new String[] {"", "a\0b", "x".repeat(501), null}) {
            simulate(sim -> {
                Dormouse dormouse = open(sim);
                WorkflowHandle<String> handle = dormouse.start("f", "f", String.class, "");
                assertClear(catchThrowable(() -> handle.signal(name, "x")), ErrorCode.BAD_ARGUMENT);
                handle.signal("go");
                assertThat(sim.result(handle)).isEqualTo("go");
            });
        }
    }

    @Test
    void argumentsOfWrongTypeAreRefused() {
        assertRefused(ErrorCode.PAYLOAD_DOES_NOT_FIT, handle -> handle.signal("add", "no number"));
        assertRefused(ErrorCode.PAYLOAD_DOES_NOT_FIT, handle -> handle.signal("put", List.of(1, 2)));
        assertRefused(ErrorCode.PAYLOAD_DOES_NOT_FIT, handle -> handle.signal("put-items", "a", "b"));
        assertRefused(ErrorCode.PAYLOAD_DOES_NOT_FIT, handle -> handle.signal("put-items", List.of(1, 2), Map.of()));
    }

    @Test
    void numberBeyondItsTypeIsRefused() {
        assertRefused(ErrorCode.PAYLOAD_DOES_NOT_FIT, handle -> handle.signal("add", Long.MAX_VALUE));
    }

    @Test
    void nullForAPrimitiveIsRefused() {
        assertRefused(ErrorCode.PAYLOAD_DOES_NOT_FIT, handle -> handle.signal("add", new Object[] {null}));
    }

    @Test
    void wrongNumberOfArgumentsIsRefused() {
        assertRefused(ErrorCode.PAYLOAD_DOES_NOT_FIT, handle -> handle.signal("put"));
        assertRefused(ErrorCode.PAYLOAD_DOES_NOT_FIT, handle -> handle.signal("put", (Object[]) null));
        assertRefused(ErrorCode.PAYLOAD_DOES_NOT_FIT, handle -> handle.signal("put", "a", "b"));
        assertRefused(ErrorCode.PAYLOAD_DOES_NOT_FIT, handle -> handle.signal("end", "a"));
    }

    @Test
    void nullForAnObjectIsDelivered() {
        simulate(sim -> {
            WorkflowHandle<String> handle = start(open(sim));
            handle.signal("put", new Object[] {null});
            assertUnharmed(sim, handle, "null,ok");
        });
    }

    @Test
    void payloadThatIsTooLargeIsRefused() {
        assertRefused(ErrorCode.PAYLOAD_TOO_LARGE, handle -> handle.signal("put", "x".repeat(LIMIT)));
        assertRefused(ErrorCode.PAYLOAD_TOO_LARGE, handle -> handle.signalOnce("k", "put", "x".repeat(LIMIT)));
    }

    @Test
    void payloadThatDoesNotSerializeIsRefused() {
        assertRefused(ErrorCode.PAYLOAD_NOT_SERIALIZABLE, handle -> handle.signal("put", new Moody()));
        Map<String, Object> circle = new HashMap<>();
        circle.put("me", circle);
        assertRefused(ErrorCode.PAYLOAD_NOT_SERIALIZABLE, handle -> handle.signal("put", circle));
    }

    @Test
    void signalToAnUnknownIdIsRefused() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Box nobody = dormouse.workflow(Box.class, "nobody");
            assertClear(catchThrowable(() -> nobody.put("x")), ErrorCode.RUN_NOT_FOUND);
            assertThat(dormouse.find("nobody", String.class)).isEmpty();
            assertClear(catchThrowable(nobody::seen), ErrorCode.RUN_NOT_FOUND);
            assertClear(catchThrowable(() -> nobody.change("x")), ErrorCode.RUN_NOT_FOUND);
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void signalToAClosedRunIsRefusedHoweverItClosed() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Map<RunStatus, WorkflowHandle<String>> handles = new LinkedHashMap<>();
            StartOptions short1 = StartOptions.DEFAULT.withExecutionTimeout(MINUTE);
            handles.put(RunStatus.COMPLETED, dormouse.start("f", "1", String.class, ""));
            handles.put(RunStatus.FAILED, dormouse.start("f", "2", String.class, "fail"));
            handles.put(RunStatus.TERMINATED, dormouse.start("f", "3", String.class, ""));
            handles.put(RunStatus.TIMED_OUT, dormouse.start("f", "4", short1, String.class, ""));
            handles.put(RunStatus.CANCELLED, dormouse.start("f", "5", String.class, ""));
            sim.advance(Duration.ofSeconds(1));
            handles.get(RunStatus.COMPLETED).signal("go");
            handles.get(RunStatus.TERMINATED).terminate("enough");
            handles.get(RunStatus.CANCELLED).cancel("enough");
            sim.advance(MINUTE.multipliedBy(2));
            handles.forEach((status, handle) -> {
                assertThat(handle.describe().status()).isEqualTo(status);
                assertClear(catchThrowable(() -> handle.signal("go", 1)), ErrorCode.RUN_CLOSED);
                assertClear(catchThrowable(() -> handle.signalOnce("k", "go")), ErrorCode.RUN_CLOSED);
                assertThat(catchThrowable(() -> handle.signal("go", 1)).getMessage())
                        .contains(handle.workflowId());
            });
        });
    }

    @Test
    void unknownSignalOfAClientWithoutTheCodeDoesNotHarmTheRun() {
        simulate(sim -> {
            Dormouse worker = open(sim);
            Dormouse client = sim.open(node -> node.remoteWorkflow(Box.class));
            start(worker);
            WorkflowHandle<String> there = client.find("b", String.class).orElseThrow();
            there.signal("nonsense", "x");
            there.signal("add", 7);
            sim.advance(MINUTE);
            assertThat(there.describe().trouble()).isEmpty();
            assertUnharmed(sim, there, "7,ok");
            sim.assertStillWorks(worker);
        });
    }

    @Test
    void argumentsThatAClientWithoutTheCodeSendsWronglyParkTheRunWithTheSignalsName() {
        List<Object[]> bad = List.of(
                new Object[] {"put", 1, 2, 3}, new Object[] {"put"}, new Object[] {"add", "no number"}, new Object[] {
                    "add", null
                });
        for (Object[] signal : bad) {
            simulate(sim -> {
                Dormouse worker = open(sim);
                Dormouse client = sim.open(node -> node.remoteWorkflow(Box.class));
                start(worker);
                WorkflowHandle<String> there = client.find("b", String.class).orElseThrow();
                there.signal((String) signal[0], Arrays.copyOfRange(signal, 1, signal.length));
                sim.awaitStatus(there, RunStatus.STUCK);
                assertClear(there.describe().trouble(), ErrorCode.CODE_DOES_NOT_MATCH);
                assertThat(there.describe().trouble()).contains("signal '" + signal[0] + "'");
                sim.assertStillWorks(worker);
            });
        }
    }

    @Test
    void signalToAnIdWhoseRunIsOfAnotherTypeIsRefusedOrHarmless() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> handle = dormouse.start("echo", "e", String.class, "text");
            Throwable problem =
                    catchThrowable(() -> dormouse.workflow(Box.class, "e").put("x"));
            if (problem != null) {
                assertThat(problem.getMessage()).startsWith("[DM");
            }
            assertThat(sim.result(handle)).isEqualTo("text");
        });
    }

    @Test
    void badIdsAreRefused() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            for (String id : List.of("", "a\0b", "x".repeat(501))) {
                assertClear(
                        catchThrowable(() -> dormouse.workflow(Box.class, id).put("x")), ErrorCode.BAD_ARGUMENT);
            }
        });
    }
}
