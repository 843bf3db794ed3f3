package dev.dormouse.message;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.TimerPolicy;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.support.Box;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Invalid updates: the caller gets a clear error, and the run is unharmed. */
class BadUpdateTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** A node with the code refuses the update at once; for a client, the run answers. */
    private static void assertRefused(ErrorCode code, Consumer<WorkflowHandle<String>> call) {
        simulate(sim -> {
            Dormouse dormouse = sim.open(
                    node -> SimulatedDormouse.echo(node).payloadLimit(1_000).workflow(Box.class, Box.Open::new));
            Dormouse client = sim.open(node -> node.payloadLimit(1_000).remoteWorkflow(Box.class));
            Box box = dormouse.workflow(Box.class, "b");
            WorkflowHandle<String> handle = dormouse.start(() -> box.run(""));
            sim.advance(SECOND);
            assertClear(catchThrowable(() -> call.accept(handle)), code);
            WorkflowHandle<String> there = client.find("b", String.class).orElseThrow();
            Throwable problem = catchThrowable(() -> call.accept(there));
            assertThat(problem).isNotNull();
            assertThat(problem.getMessage()).matches("(?s)\\[DM\\d{4}\\] Expected .+, but.+");
            assertThat(problem.getMessage()).contains(code.label());
            assertThat(sim.elapsed()).isLessThan(SECOND.multipliedBy(10));
            handle.signal("put", "ok");
            handle.signal("end");
            assertThat(sim.result(handle)).isEqualTo("ok");
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void unknownUpdateIsRefused() {
        assertRefused(ErrorCode.UNKNOWN_UPDATE, handle -> handle.update("nonsense", String.class));
        assertRefused(ErrorCode.UNKNOWN_UPDATE, handle -> handle.update("put", Void.class, "x"));
        assertRefused(ErrorCode.UNKNOWN_UPDATE, handle -> handle.update("mayBeSet", Void.class, "x"));
    }

    @Test
    void wrongArgumentsAreRefused() {
        assertRefused(ErrorCode.PAYLOAD_DOES_NOT_FIT, handle -> handle.update("change", String.class));
        assertRefused(ErrorCode.PAYLOAD_DOES_NOT_FIT, handle -> handle.update("change", String.class, "a", "b"));
        assertRefused(ErrorCode.PAYLOAD_DOES_NOT_FIT, handle -> handle.update("change", String.class, List.of(1)));
        assertRefused(ErrorCode.PAYLOAD_TOO_LARGE, handle -> handle.update("change", String.class, "x".repeat(1_000)));
    }

    @Test
    void badIdsAreRefused() {
        for (String id : List.of("", "a\0b", "x".repeat(501))) {
            assertRefused(ErrorCode.BAD_ARGUMENT, handle -> handle.updateOnce(id, MINUTE, "change", String.class, "a"));
        }
    }

    @Test
    void updateOfAnUnknownOrClosedRunIsRefusedAtOnce() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(Box.class, Box.Open::new));
            Dormouse client = sim.open(node -> node.remoteWorkflow(Box.class));
            Box box = dormouse.workflow(Box.class, "b");
            WorkflowHandle<String> handle = dormouse.start(() -> box.run(""));
            handle.signal("end");
            sim.result(handle);
            for (Dormouse asked : List.of(dormouse, client)) {
                assertClear(
                        catchThrowable(() -> asked.workflow(Box.class, "nobody").change("x")), ErrorCode.RUN_NOT_FOUND);
                assertClear(catchThrowable(() -> asked.workflow(Box.class, "b").change("x")), ErrorCode.RUN_CLOSED);
            }
            assertThat(sim.elapsed()).isLessThan(SECOND.multipliedBy(3));
        });
    }

    @Test
    void answerThatIsReadAsAnotherTypeIsAClearErrorAndCanBeReadAgain() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(Box.class, Box.Open::new));
            Box box = dormouse.workflow(Box.class, "b");
            WorkflowHandle<String> handle = dormouse.start(() -> box.run(""));
            Throwable problem = catchThrowable(() -> handle.updateOnce("u", MINUTE, "change", Integer.class, "a"));
            assertClear(problem, ErrorCode.PAYLOAD_DOES_NOT_FIT);
            String answer = handle.updateOnce("u", MINUTE, "change", String.class, "a");
            assertThat(answer).isEqualTo("changed to a");
        });
    }

    @Test
    void nameOfTheEnginesOwnUpdateDoesNotHarmTheRun() {
        assertRefused(ErrorCode.UPDATE_FAILED, handle -> handle.update("dormouse.timer", Void.class));
        assertRefused(ErrorCode.UPDATE_FAILED, handle -> handle.update("dormouse.timer", Void.class, "a", "b", "c"));
        assertRefused(ErrorCode.UPDATE_FAILED, handle -> handle.update("dormouse.timer", Void.class, 1, 2, 3));
    }

    @Test
    void functionHasNoUpdatesButItsTimersCanBeMoved() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow("w", String.class, String.class, (ctx, input) -> {
                ctx.newUpdatableTimer("t", TimerPolicy.ANY).sleepUntil(ctx.now().plus(MINUTE.multipliedBy(60)));
                return "done";
            }));
            WorkflowHandle<String> handle = dormouse.start("w", "w", String.class, "");
            sim.advance(SECOND);
            Throwable problem = catchThrowable(() -> handle.update("nonsense", String.class));
            assertThat(problem.getMessage()).contains(ErrorCode.UNKNOWN_UPDATE.label());
            handle.timer("t").reschedule(sim.now().plus(MINUTE));
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(sim.elapsed()).isLessThan(MINUTE.multipliedBy(2));
        });
    }

    private static Dormouse openTimer(SimulatedDormouse sim) {
        return sim.open(node -> node.workflow("w", String.class, String.class, (ctx, input) -> {
            ctx.newUpdatableTimer("t", TimerPolicy.ANY).sleepUntil(ctx.now().plus(MINUTE));
            return "done";
        }));
    }

    @Test
    void timerWithoutANameIsRefused() {
        simulate(sim -> {
            WorkflowHandle<String> handle = openTimer(sim).start("w", "w", String.class, "");
            sim.advance(SECOND);
            for (String name : new String[] {null, ""}) {
                Throwable problem = catchThrowable(() -> handle.timer(name).reschedule(sim.now()));
                assertThat(problem.getMessage()).matches("\\[DM\\d{4}\\] Expected .+, but .+");
            }
            assertThat(sim.result(handle)).isEqualTo("done");
        });
    }

    @Test
    void timerThatIsMovedToNullIsRefusedAndEndsInTime() {
        simulate(sim -> {
            WorkflowHandle<String> handle = openTimer(sim).start("w", "w", String.class, "");
            sim.advance(SECOND);
            Throwable problem = catchThrowable(() -> handle.timer("t").reschedule(null));
            sim.advance(MINUTE.multipliedBy(10));
            assertThat(handle.describe().trouble()).isEmpty();
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(problem).isNotNull();
        });
    }
}
