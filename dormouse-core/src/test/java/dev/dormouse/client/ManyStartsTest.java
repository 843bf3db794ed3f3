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
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.testing.sim.FaultProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Starts that share transactions. */
class ManyStartsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @WorkflowInterface
    interface Greeting {
        @WorkflowMethod
        String greet(String name);
    }

    private static Dormouse open(SimulatedDormouse sim) {
        return sim.open(node -> SimulatedDormouse.echo(node).workflow(Greeting.class, () -> name -> "Hello, " + name));
    }

    private static Dormouse client(SimulatedDormouse sim) {
        return sim.open(node -> node.remoteWorkflow(Greeting.class));
    }

    private static Map<String, String> inputs(int count) {
        Map<String, String> inputs = new LinkedHashMap<>();
        for (int i = count; i > 0; i--) {
            inputs.put("g" + i, "" + i);
        }
        return inputs;
    }

    private static void assertGreeted(SimulatedDormouse sim, int count, List<WorkflowHandle<String>> handles) {
        assertThat(handles)
                .extracting(WorkflowHandle::workflowId)
                .containsExactlyElementsOf(inputs(count).keySet());
        for (WorkflowHandle<String> handle : handles) {
            assertThat(sim.result(handle))
                    .isEqualTo("Hello, " + handle.workflowId().substring(1));
        }
    }

    private static Throwable problem(SimulatedDormouse sim, CompletableFuture<?> future) {
        sim.await("an answer", future::isDone);
        Throwable problem = catchThrowable(future::join);
        return problem instanceof CompletionException wrapped ? wrapped.getCause() : problem;
    }

    // ---- startAll

    @Test
    void manyWorkflowsAreStartedInOrderAndInFewTransactions() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            int[] batches = {0};
            sim.store().onStart = () -> batches[0]++;
            List<WorkflowHandle<String>> handles = dormouse.startAll("Greeting", inputs(500), String.class);
            assertThat(batches[0]).isLessThan(20);
            assertGreeted(sim, 500, handles);
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void moreWorkflowsThanAreOnTheWayAtOnceAreStartedByAClient() {
        SimulatedDormouse.simulate(2, sim -> {
            Dormouse client = client(sim);
            open(sim);
            List<WorkflowHandle<String>> handles = client.startAll("Greeting", inputs(2_100), String.class);
            assertThat(handles).hasSize(2_100);
            assertThat(sim.result(handles.get(0))).isEqualTo("Hello, 2100");
            assertThat(sim.result(handles.get(2_099))).isEqualTo("Hello, 1");
        });
    }

    @Test
    void idsThatHaveARunKeepIt() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> first = dormouse.start("Greeting", "g2", String.class, "2");
            List<WorkflowHandle<String>> handles = dormouse.startAll("Greeting", inputs(3), String.class);
            assertThat(handles.get(1).runId()).isEqualTo(first.runId());
            assertGreeted(sim, 3, handles);
            List<WorkflowHandle<String>> again = dormouse.startAll("Greeting", inputs(3), String.class);
            assertThat(again)
                    .extracting(WorkflowHandle::runId)
                    .containsExactlyElementsOf(
                            handles.stream().map(WorkflowHandle::runId).toList());
        });
    }

    @Test
    void takenIdDoesNotKeepTheOthersFromStarting() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            dormouse.start("Greeting", "g2", String.class, "2");
            StartOptions reject = StartOptions.DEFAULT.withIdReuse(IdReuse.REJECT);
            assertClear(
                    catchThrowable(() -> dormouse.startAll("Greeting", inputs(3), reject, TypeRef.of(String.class))),
                    ErrorCode.WORKFLOW_ID_TAKEN);
            assertThat(sim.result(dormouse.handle("g1"))).isEqualTo("Hello, 1");
            assertThat(sim.result(dormouse.handle("g3"))).isEqualTo("Hello, 3");
        });
    }

    @Test
    void optionsApplyToAll() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            StartOptions later = StartOptions.DEFAULT.withStartDelay(Duration.ofHours(1));
            assertGreeted(sim, 5, dormouse.startAll("Greeting", inputs(5), later, TypeRef.of(String.class)));
            assertThat(sim.elapsed()).isGreaterThan(Duration.ofMinutes(59));
        });
    }

    @Test
    void nothingIsStartedIfOneOfThemIsInvalid() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Map<String, Object> wrongInput = new LinkedHashMap<>(inputs(2));
            wrongInput.put("g3", List.of(1, 2));
            Map<String, Object> wrongId = new LinkedHashMap<>(inputs(2));
            wrongId.put("", "x");
            Map<String, Object> nullId = new LinkedHashMap<>(inputs(2));
            nullId.put(null, "x");
            assertClear(
                    catchThrowable(() -> dormouse.startAll("Greeting", wrongInput, String.class)),
                    ErrorCode.PAYLOAD_DOES_NOT_FIT);
            assertClear(
                    catchThrowable(() -> dormouse.startAll("nonsense", inputs(2), String.class)),
                    ErrorCode.UNKNOWN_WORKFLOW_TYPE);
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> dormouse.startAll("Greeting", wrongId, String.class),
                    () -> dormouse.startAll("Greeting", nullId, String.class),
                    () -> dormouse.startAll("Greeting", null, String.class),
                    () -> dormouse.startAll("Greeting", inputs(2), null),
                    () -> dormouse.startAll("Greeting", inputs(2), null, TypeRef.of(String.class)),
                    () -> dormouse.startAll(null, inputs(2), String.class))) {
                assertClear(catchThrowable(call), ErrorCode.BAD_ARGUMENT);
            }
            assertThat(dormouse.find("g1", String.class)).isEmpty();
            assertThat(dormouse.startAll("Greeting", Map.of(), String.class)).isEmpty();
        });
    }

    @Test
    void eachIsStartedOnceOverBadConnections() {
        for (FaultProfile bad : List.of(FaultProfile.CALM.withUnknown(0.2), FaultProfile.CALM.withLocked(0.3))) {
            simulate(sim -> {
                Dormouse dormouse = open(sim);
                sim.behave(dormouse, bad);
                List<WorkflowHandle<String>> handles = dormouse.startAll("Greeting", inputs(40), String.class);
                sim.behave(dormouse, FaultProfile.CALM);
                assertGreeted(sim, 40, handles);
                sim.assertStillWorks(dormouse);
            });
        }
    }

    @Test
    void outageIsReportedInTimeAndHoldsNoPlaces() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> SimulatedDormouse.echo(node)
                    .workflow(Greeting.class, () -> name -> "Hello, " + name)
                    .maxExecuting(4));
            sim.outage(MINUTE.multipliedBy(2));
            assertClear(
                    catchThrowable(() -> dormouse.startAll("Greeting", inputs(20), String.class)),
                    ErrorCode.STORE_UNAVAILABLE);
            assertThat(sim.elapsed()).isLessThan(MINUTE);
            sim.advance(MINUTE.multipliedBy(3));
            assertGreeted(sim, 20, dormouse.startAll("Greeting", inputs(20), String.class));
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void transactionStepMayReadButNotStartOrUpdate() {
        simulate(sim -> {
            AtomicReference<Dormouse> self = new AtomicReference<>();
            List<Throwable> refused = new ArrayList<>();
            self.set(sim.open(node -> node.workflow(Greeting.class, () -> name -> "Hello, " + name)
                    .workflow("w", String.class, String.class, (ctx, input) -> {
                        ctx.transaction("tx", connection -> {
                            Dormouse here = self.get();
                            Greeting greeting = here.workflow(Greeting.class);
                            for (ThrowingCallable call : List.<ThrowingCallable>of(
                                    () -> here.startAsync(() -> greeting.greet("x")),
                                    () -> here.startAll("Greeting", inputs(1), String.class),
                                    () -> here.start("Greeting", String.class, "x"),
                                    () -> here.handle("w").updateAsync("u", String.class),
                                    () -> here.handle("w").signal("s"),
                                    () -> here.handle("w").terminate("x"),
                                    () -> here.handle("w").result())) {
                                refused.add(catchThrowable(call));
                            }
                            sim.log(here.handle("w").describe().workflowId());
                        });
                        return "done";
                    })));
            assertThat(sim.result(self.get().start("w", "w", String.class, ""))).isEqualTo("done");
            assertThat(refused).hasSize(7).allSatisfy(problem -> assertClear(problem, ErrorCode.NOT_ALLOWED_HERE));
            assertThat(sim.log()).containsExactly("w");
        });
    }

    // ---- startAsync

    @Test
    void startsShareTransactions() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            int[] batches = {0};
            sim.store().onStart = () -> batches[0]++;
            List<CompletableFuture<WorkflowHandle<String>>> futures = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                Greeting greeting = dormouse.workflow(Greeting.class, "g" + i);
                String name = "" + i;
                futures.add(dormouse.startAsync(() -> greeting.greet(name)));
            }
            for (int i = 0; i < 100; i++) {
                CompletableFuture<WorkflowHandle<String>> future = futures.get(i);
                sim.await("the start", future::isDone);
                assertThat(future.join().workflowId()).isEqualTo("g" + i);
                assertThat(sim.result(future.join())).isEqualTo("Hello, " + i);
            }
            assertThat(batches[0]).isLessThan(20);
        });
    }

    @Test
    void clientStartsToo() {
        simulate(sim -> {
            Dormouse client = client(sim);
            Greeting greeting = client.workflow(Greeting.class);
            CompletableFuture<WorkflowHandle<String>> future = client.startAsync(() -> greeting.greet("Ada"));
            sim.await("the start", future::isDone);
            open(sim);
            assertThat(sim.result(future.join())).isEqualTo("Hello, Ada");
        });
    }

    @Test
    void problemsOfAStartArriveInTheFuture() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            StartOptions reject = StartOptions.DEFAULT.withIdReuse(IdReuse.REJECT);
            Greeting greeting = dormouse.workflow(Greeting.class, "g", reject);
            dormouse.start(() -> greeting.greet("Ada"));
            assertClear(problem(sim, dormouse.startAsync(() -> greeting.greet("Ada"))), ErrorCode.WORKFLOW_ID_TAKEN);
            sim.outage(MINUTE.multipliedBy(2));
            Greeting other = dormouse.workflow(Greeting.class);
            Duration before = sim.elapsed();
            assertClear(problem(sim, dormouse.startAsync(() -> other.greet("Ada"))), ErrorCode.STORE_UNAVAILABLE);
            assertThat(sim.elapsed().minus(before)).isLessThan(MINUTE);
        });
    }

    @Test
    void invalidStartsAreRefusedAtOnce() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Greeting greeting = dormouse.workflow(Greeting.class);
            assertClear(catchThrowable(() -> dormouse.startAsync((Supplier<String>) null)), ErrorCode.BAD_ARGUMENT);
            assertClear(catchThrowable(() -> dormouse.startAsync(() -> "x")), ErrorCode.BAD_STUB_CALL);
            Dormouse reader = sim.open(node -> node.anyRemoteWorkflow().readOnly());
            Greeting there = reader.workflow(Greeting.class);
            assertClear(catchThrowable(() -> reader.startAsync(() -> there.greet("x"))), ErrorCode.READ_ONLY);
            assertClear(
                    catchThrowable(() -> reader.startAll("Greeting", inputs(1), String.class)), ErrorCode.READ_ONLY);
            dormouse.close();
            assertClear(
                    catchThrowable(() -> dormouse.startAsync(() -> greeting.greet("x"))), ErrorCode.DORMOUSE_CLOSED);
            assertClear(
                    catchThrowable(() -> dormouse.startAll("Greeting", inputs(1), String.class)),
                    ErrorCode.DORMOUSE_CLOSED);
        });
    }

    @Test
    void cancelledFutureDoesNotCancelTheStartAndHoldsNoPlace() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> SimulatedDormouse.echo(node)
                    .workflow(Greeting.class, () -> name -> "Hello, " + name)
                    .maxExecuting(2));
            for (int i = 0; i < 10; i++) {
                Greeting greeting = dormouse.workflow(Greeting.class, "g" + i);
                dormouse.startAsync(() -> greeting.greet("Ada")).cancel(true);
                sim.advance(SECOND);
                assertThat(sim.result(dormouse.handle("g" + i))).isEqualTo("Hello, Ada");
            }
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void futureFailsIfTheDormouseClosesFirst() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            sim.outage(MINUTE);
            Greeting greeting = dormouse.workflow(Greeting.class);
            CompletableFuture<WorkflowHandle<String>> future = dormouse.startAsync(() -> greeting.greet("x"));
            sim.inBackground(dormouse::close);
            Throwable problem = problem(sim, future);
            assertThat(problem.getMessage())
                    .containsAnyOf(ErrorCode.DORMOUSE_CLOSED.label(), ErrorCode.STORE_UNAVAILABLE.label());
        });
    }

    @Test
    void callbackThatBlocksDelaysNothing() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Greeting greeting = dormouse.workflow(Greeting.class);
            var unused = dormouse.startAsync(() -> greeting.greet("x")).thenAccept(handle -> {
                sim.log("begins");
                sim.advance(Duration.ofHours(1));
                sim.log("ends");
            });
            sim.await("the callback", () -> sim.count("begins") == 1);
            sim.assertStillWorks(dormouse);
            assertThat(sim.log()).doesNotContain("ends");
        });
    }
}
