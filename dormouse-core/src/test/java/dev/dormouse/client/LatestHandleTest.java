package dev.dormouse.client;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.StartOptions;
import dev.dormouse.TypeRef;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.client.RunAccess;
import dev.dormouse.support.Box;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Handles to the latest run of a workflow id. */
class LatestHandleTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final StartOptions ANEW = StartOptions.DEFAULT.withIdReuse(IdReuse.START_NEW);

    private static Dormouse open(SimulatedDormouse sim) {
        return sim.open(node -> SimulatedDormouse.echo(node).workflow(Box.class, Box.Open::new));
    }

    private static WorkflowHandle<String> start(Dormouse dormouse) {
        return dormouse.start(() -> dormouse.workflow(Box.class, "b", ANEW).run(""));
    }

    private static List<ThrowingCallable> reads(WorkflowHandle<?> handle) {
        return List.of(
                handle::runId,
                handle::describe,
                handle::summary,
                handle::history,
                handle::waits,
                () -> handle.query("seen", Object.class),
                () -> RunAccess.of(handle).events(),
                () -> RunAccess.of(handle).snapshot());
    }

    private static List<ThrowingCallable> waits(WorkflowHandle<?> handle) {
        return List.of(handle::result, () -> handle.result(SECOND), handle::resultAsync);
    }

    private static List<ThrowingCallable> changes(WorkflowHandle<?> handle) {
        return List.of(
                () -> handle.signal("put", "x"),
                () -> handle.signalOnce("key", "put", "x"),
                () -> handle.update("change", String.class, "x"),
                () -> handle.updateOnce("id", SECOND, "change", String.class, "x"),
                () -> handle.timer("t").reschedule(java.time.Instant.EPOCH),
                () -> handle.moveWait(1, java.time.Instant.EPOCH, ""),
                () -> handle.cancel("enough"),
                () -> handle.terminate("enough"),
                handle::retry,
                () -> handle.reset(1));
    }

    private static void assertAll(List<ThrowingCallable> calls, ErrorCode code) {
        for (int i = 0; i < calls.size(); i++) {
            Throwable problem = catchThrowable(calls.get(i));
            assertThat(problem).as("call " + i).isNotNull();
            assertClear(problem, code);
        }
    }

    @Test
    void everyCallRefersToTheRunThatIsTheLatestThen() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> latest = dormouse.handle("b", String.class);
            assertThat(latest.workflowId()).isEqualTo("b");
            assertThat(latest).hasToString("latest run of workflow id 'b'");
            for (String text : List.of("first", "second")) {
                WorkflowHandle<String> run = start(dormouse);
                assertThat(latest.runId()).isEqualTo(run.runId());
                latest.signal("put", text);
                assertThat(latest.update("change", String.class, "to")).isEqualTo("changed to to");
                assertThat(latest.query("seen", new TypeRef<List<String>>() {})).containsExactly(text, "to");
                assertThat(latest.describe().status().isClosed()).isFalse();
                assertThat(latest.waits()).hasSize(1);
                latest.signalOnce("end " + text, "end");
                assertThat(sim.result(latest)).isEqualTo(text + ",to");
                assertThat(latest.result()).isEqualTo(text + ",to");
                assertThat(latest.result(SECOND)).isEqualTo(text + ",to");
                assertThat(latest.summary().runId()).isEqualTo(run.runId());
                assertThat(latest.history()).isEqualTo(run.history());
                assertThat(RunAccess.of(latest).events())
                        .hasSameSizeAs(RunAccess.of(run).events());
                assertThat(RunAccess.of(latest).snapshot().run().runId()).isEqualTo(run.runId());
            }
        });
    }

    @Test
    void latestRunIsResetCancelledAndTerminated() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<Object> latest = dormouse.handle("b");
            WorkflowHandle<String> first = start(dormouse);
            latest.cancel("enough");
            sim.await("the end", () -> first.describe().status() == RunStatus.CANCELLED);
            WorkflowHandle<String> second = start(dormouse);
            WorkflowHandle<Object> third = latest.reset(1);
            assertThat(second.describe().status()).isEqualTo(RunStatus.TERMINATED);
            assertThat(latest.runId()).isEqualTo(third.runId()).isNotEqualTo(second.runId());
            assertClear(catchThrowable(latest::retry), ErrorCode.RETRY_REFUSED);
            assertThat(latest.terminate("enough")).isTrue();
            assertThat(third.describe().status()).isEqualTo(RunStatus.TERMINATED);
            assertThat(latest.terminate("again")).isFalse();
            assertClear(catchThrowable(() -> latest.signal("put", "late")), ErrorCode.RUN_CLOSED);
        });
    }

    @Test
    void idWithoutARunIsNotFoundByTheCallsThatNeedOne() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<Object> nothing = dormouse.handle("nothing");
            assertThat(nothing.workflowId()).isEqualTo("nothing");
            assertAll(reads(nothing), ErrorCode.RUN_NOT_FOUND);
            assertAll(waits(nothing), ErrorCode.RUN_NOT_FOUND);
            assertAll(changes(nothing), ErrorCode.RUN_NOT_FOUND);
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void signalNeedsNoLookUp() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            start(dormouse);
            sim.advance(SECOND);
            int[] lookUps = {0};
            sim.store().onCurrent = () -> lookUps[0]++;
            WorkflowHandle<Object> latest = dormouse.handle("b");
            latest.signal("put", "x");
            latest.signalOnce("key", "end");
            assertThat(lookUps[0]).isZero();
            assertThat(sim.result(latest)).isEqualTo("x");
            assertThat(lookUps[0]).isEqualTo(1);
        });
    }

    @Test
    void unknownUpdateIsRefusedByTheRun() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            start(dormouse);
            WorkflowHandle<Object> latest = dormouse.handle("b");
            Throwable problem = catchThrowable(() -> latest.update("nonsense", String.class));
            assertThat(problem.getMessage()).contains(ErrorCode.UNKNOWN_UPDATE.label());
            latest.signal("nonsense");
            latest.signal("put", "x");
            latest.signal("end");
            assertThat(sim.result(latest)).isEqualTo("x");
        });
    }

    @Test
    void invalidArgumentsAreRefusedAtOnce() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            assertAll(
                    List.of(
                            () -> dormouse.handle(null),
                            () -> dormouse.handle(""),
                            () -> dormouse.handle("a\0b"),
                            () -> dormouse.handle("b", (Class<?>) null),
                            () -> dormouse.handle("b", (TypeRef<?>) null),
                            () -> dormouse.handle("b").signal(null),
                            () -> dormouse.handle("b").update(null, String.class),
                            () -> dormouse.handle("b").update("change", (Class<?>) null)),
                    ErrorCode.BAD_ARGUMENT);
            start(dormouse);
            assertAll(List.of(() -> dormouse.handle("b").cancel(null)), ErrorCode.BAD_ARGUMENT);
        });
    }

    @Test
    void closedDormouseRefusesItsCalls() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            start(dormouse);
            dormouse.close();
            WorkflowHandle<Object> latest = dormouse.handle("b");
            assertThat(latest.workflowId()).isEqualTo("b");
            assertAll(reads(latest), ErrorCode.DORMOUSE_CLOSED);
            assertAll(waits(latest), ErrorCode.DORMOUSE_CLOSED);
            assertAll(changes(latest), ErrorCode.DORMOUSE_CLOSED);
        });
    }

    @Test
    void dormouseThatOnlyReadsRefusesChanges() {
        simulate(sim -> {
            WorkflowHandle<String> run = start(open(sim));
            sim.advance(SECOND);
            Dormouse reader = sim.open(node -> node.anyRemoteWorkflow().readOnly());
            WorkflowHandle<Object> latest = reader.handle("b");
            assertThat(latest.runId()).isEqualTo(run.runId());
            assertThat(latest.describe().workflowId()).isEqualTo("b");
            assertAll(changes(latest), ErrorCode.READ_ONLY);
        });
    }
}
