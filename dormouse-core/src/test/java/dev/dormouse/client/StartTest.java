package dev.dormouse.client;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.StartOptions;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.WorkflowIdTakenException;
import dev.dormouse.inspect.ListOptions;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Starts of workflows: ids, reuse of ids, delays and memos. */
class StartTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    @WorkflowInterface
    interface Greeting {
        @WorkflowMethod
        String greet(String name);
    }

    /** Returns a greeting after a while; fails if the name is empty. */
    static class GreetingWorkflow implements Greeting {
        private final UUID id = Workflow.randomUuid(); // field initializers may call Workflow

        @Override
        public String greet(String name) {
            Workflow.sleep(MINUTE);
            if (name.isEmpty()) {
                throw new IllegalArgumentException("nobody");
            }
            return "hello " + name + " " + (id.version() == 4);
        }
    }

    private static Dormouse open(SimulatedDormouse sim) {
        return sim.open(node -> SimulatedDormouse.echo(node)
                .workflow(Greeting.class, GreetingWorkflow::new)
                .workflow("log", String.class, String.class, (ctx, line) -> {
                    ctx.step("log", () -> sim.log(line + " " + sim.elapsed().toSeconds()));
                    return line;
                })
                .remoteWorkflow("elsewhere"));
    }

    private static StartOptions reuse(IdReuse reuse) {
        return StartOptions.DEFAULT.withIdReuse(reuse);
    }

    @Test
    void stubStartsAWorkflowAndReturnsItsResult() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Greeting ada = dormouse.workflow(Greeting.class, "ada");
            WorkflowHandle<String> handle = dormouse.start(() -> ada.greet("ada"));
            assertThat(handle.workflowId()).isEqualTo("ada");
            assertThat(sim.result(handle)).isEqualTo("hello ada true");
            assertThat(handle.describe().type()).isEqualTo("Greeting");
        });
    }

    @Test
    void sameIdReturnsTheSameRunWhileItIsOpenAndAfterItClosed() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Dormouse other = open(sim);
            WorkflowHandle<String> first = dormouse.start("Greeting", "g", String.class, "ada");
            WorkflowHandle<String> open = other.start("Greeting", "g", String.class, "bob");
            assertThat(open.runId()).isEqualTo(first.runId());
            assertThat(sim.result(open)).isEqualTo("hello ada true");
            WorkflowHandle<String> closed = dormouse.start("Greeting", "g", String.class, "cyd");
            assertThat(closed.runId()).isEqualTo(first.runId());
            assertThat(sim.result(closed)).isEqualTo("hello ada true");
            assertThat(dormouse.list(ListOptions.ALL).runs()).hasSize(1);
        });
    }

    @Test
    void manyThreadsOnTwoNodesThatStartOneIdStartOneRun() {
        simulate(sim -> {
            Dormouse one = open(sim);
            Dormouse two = open(sim);
            Set<UUID> runs = new HashSet<>();
            int[] done = {0};
            for (int i = 0; i < 50; i++) {
                Dormouse dormouse = i % 2 == 0 ? one : two;
                sim.inBackground(() -> {
                    runs.add(dormouse.start("log", "l", String.class, "line").runId());
                    done[0]++;
                });
            }
            sim.await("all starts", () -> done[0] == 50);
            sim.result(one.find("l", String.class).orElseThrow());
            assertThat(runs).hasSize(1);
            assertThat(sim.log()).hasSize(1);
        });
    }

    @Test
    void reuseDecidesWhatHappensAfterACompletedRun() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            UUID first = closedRun(sim, dormouse, "ada");
            assertThat(start(dormouse, IdReuse.RETURN_CLOSED)).isEqualTo(first);
            assertThat(start(dormouse, IdReuse.START_UNLESS_COMPLETED)).isEqualTo(first);
            Throwable taken = catchThrowable(() -> start(dormouse, IdReuse.REJECT));
            assertThat(taken).isInstanceOf(WorkflowIdTakenException.class);
            assertClear(taken, ErrorCode.WORKFLOW_ID_TAKEN);
            assertThat(((WorkflowIdTakenException) taken).runId()).isEqualTo(first);
            UUID second = start(dormouse, IdReuse.START_NEW);
            assertThat(second).isNotEqualTo(first);
            assertThat(dormouse.find("g", String.class).orElseThrow().runId()).isEqualTo(second);
            assertThat(start(dormouse, IdReuse.START_NEW))
                    .as("an open run is always returned")
                    .isEqualTo(second);
            assertThat(sim.result(dormouse.find("g", String.class).orElseThrow()))
                    .isEqualTo("hello bob true");
        });
    }

    @Test
    void reuseDecidesWhatHappensAfterAFailedRun() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            UUID first = closedRun(sim, dormouse, "");
            assertThat(start(dormouse, IdReuse.RETURN_CLOSED)).isEqualTo(first);
            assertThat(catchThrowable(() -> start(dormouse, IdReuse.REJECT)))
                    .isInstanceOf(WorkflowIdTakenException.class);
            assertThat(start(dormouse, IdReuse.START_UNLESS_COMPLETED)).isNotEqualTo(first);
        });
    }

    @Test
    void reuseDecidesWhatHappensAfterATerminatedAndATimedOutRun() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> first = dormouse.start("Greeting", "g", String.class, "ada");
            first.terminate("enough");
            assertThat(start(dormouse, IdReuse.RETURN_CLOSED)).isEqualTo(first.runId());
            UUID second = start(dormouse, IdReuse.START_UNLESS_COMPLETED);
            assertThat(second).isNotEqualTo(first.runId());
            dormouse.find("g", String.class).orElseThrow().terminate("enough");
            StartOptions short_ = reuse(IdReuse.START_NEW).withExecutionTimeout(Duration.ofSeconds(1));
            WorkflowHandle<String> third = dormouse.start("Greeting", "g", short_, String.class, "cyd");
            assertThat(sim.failure(third).code()).isEqualTo(ErrorCode.RUN_TIMED_OUT);
            assertThat(start(dormouse, IdReuse.RETURN_CLOSED)).isEqualTo(third.runId());
            assertThat(start(dormouse, IdReuse.START_UNLESS_COMPLETED)).isNotEqualTo(third.runId());
        });
    }

    @Test
    void openRunIsRejectedWhereRejectingIsAskedFor() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            UUID first = start(dormouse, IdReuse.REJECT);
            Throwable taken = catchThrowable(() -> start(dormouse, IdReuse.REJECT));
            assertThat(taken).isInstanceOf(WorkflowIdTakenException.class);
            assertThat(((WorkflowIdTakenException) taken).runId()).isEqualTo(first);
            assertThat(sim.result(dormouse.find("g", String.class).orElseThrow()))
                    .isEqualTo("hello bob true");
        });
    }

    private static UUID closedRun(SimulatedDormouse sim, Dormouse dormouse, String name) {
        WorkflowHandle<String> handle = dormouse.start("Greeting", "g", String.class, name);
        sim.await("the run to close", () -> handle.describe().status().isClosed());
        return handle.runId();
    }

    private static UUID start(Dormouse dormouse, IdReuse reuse) {
        return dormouse.start("Greeting", "g", reuse(reuse), String.class, "bob")
                .runId();
    }

    @Test
    void handlesOfEarlierRunsKeepTheirResults() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            StartOptions anew = reuse(IdReuse.START_NEW);
            WorkflowHandle<String> one = dormouse.start("log", "l", anew, String.class, "one");
            sim.result(one);
            WorkflowHandle<String> two = dormouse.start("log", "l", anew, String.class, "two");
            sim.result(two);
            assertThat(sim.result(one)).isEqualTo("one");
            assertThat(sim.result(two)).isEqualTo("two");
            assertThat(one.terminate("late")).isFalse();
        });
    }

    @Test
    void delayedStartIsNeverEarlyAndIsShown() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Instant before = sim.now();
            WorkflowHandle<String> handle =
                    dormouse.start("log", "l", StartOptions.DEFAULT.withStartDelay(HOUR), String.class, "line");
            RunDescription described = handle.describe();
            assertThat(described.status()).isEqualTo(RunStatus.PENDING);
            assertThat(described.wakeReason()).isEqualTo(WakeReason.START);
            assertThat(described.wakeAt().orElseThrow())
                    .isBetween(before.plus(HOUR), before.plus(HOUR).plusSeconds(1));
            sim.advance(HOUR.minusMillis(100));
            assertThat(sim.log()).isEmpty();
            sim.result(handle);
            assertThat(sim.log()).containsExactly("line 3600");
        });
    }

    @Test
    void startAtAnInstantIsNeverEarlyAndSurvivesItsNode() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            StartOptions options = StartOptions.DEFAULT.withStartAt(sim.now().plus(HOUR));
            dormouse.start("log", "l", options, String.class, "line");
            sim.kill(dormouse);
            Dormouse other = open(sim);
            sim.result(other.find("l", String.class).orElseThrow());
            assertThat(sim.log()).containsExactly("line 3600");
        });
    }

    @Test
    void startAtThatHasPassedAndDelaysOfZeroOrLessStartAtOnce() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            List<StartOptions> all = List.of(
                    StartOptions.DEFAULT.withStartDelay(Duration.ZERO),
                    StartOptions.DEFAULT.withStartDelay(Duration.ofDays(-1)),
                    StartOptions.DEFAULT.withStartDelay(Duration.ofSeconds(Long.MIN_VALUE)),
                    StartOptions.DEFAULT.withStartAt(sim.now()),
                    StartOptions.DEFAULT.withStartAt(Instant.EPOCH),
                    StartOptions.DEFAULT.withStartAt(Instant.MIN));
            int number = 0;
            for (StartOptions options : all) {
                WorkflowHandle<String> handle =
                        dormouse.start("log", "l" + number++, options, String.class, options + "");
                sim.await(
                        options + " to be done",
                        () -> handle.describe().status().isClosed());
                assertThat(sim.elapsed()).as("%s", options).isLessThan(Duration.ofSeconds(2));
            }
        });
    }

    @Test
    void delayedRunSeesTheTimeAtWhichItBegins() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow("now", String.class, String.class, (ctx, in) -> {
                Instant begun = ctx.now();
                ctx.sleep(HOUR);
                return begun + "";
            }));
            Instant before = sim.now();
            WorkflowHandle<String> handle =
                    dormouse.start("now", "n", StartOptions.DEFAULT.withStartDelay(HOUR), String.class, "");
            assertThat(Instant.parse(sim.result(handle))).isAfterOrEqualTo(before.plus(HOUR));
        });
    }

    @Test
    void memoIsShownButNotInLists() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            StartOptions options = StartOptions.DEFAULT
                    .withMemo("who", "ada")
                    .withMemo("why", "ä€𝄞")
                    .withMemo("who", "bob");
            WorkflowHandle<String> handle = dormouse.start("log", "l", options, String.class, "x");
            assertThat(handle.describe().memo()).isEqualTo(Map.of("who", "bob", "why", "ä€𝄞"));
            sim.result(handle);
            assertThat(handle.describe().memo()).isEqualTo(Map.of("who", "bob", "why", "ä€𝄞"));
            assertThat(dormouse.list(ListOptions.ALL).runs().get(0).memo()).isEmpty();
        });
    }

    @Test
    void runOfATypeThatOnlyOtherNodesKnowWaitsForThem() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> handle = dormouse.start("elsewhere", "e", String.class, "x");
            sim.advance(HOUR);
            assertThat(handle.describe().status()).isEqualTo(RunStatus.PENDING);
            assertThat(dormouse.list(ListOptions.ALL.withType("elsewhere")).runs())
                    .hasSize(1);
            Duration opened = sim.elapsed();
            sim.open(node -> node.workflow("elsewhere", String.class, String.class, (ctx, in) -> in + "!"));
            sim.await("the run to be done", () -> handle.describe().status().isClosed());
            assertThat(sim.elapsed().minus(opened)).isLessThan(Duration.ofSeconds(2));
            assertThat(sim.result(handle)).isEqualTo("x!");
        });
    }

    @Test
    void runOfATypeThatOnlyOtherNodesKnowBeginsThereAtOnce() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            sim.open(node -> node.workflow("elsewhere", String.class, String.class, (ctx, in) -> in + "!"));
            sim.advance(HOUR);
            Duration started = sim.elapsed();
            WorkflowHandle<String> handle = dormouse.start("elsewhere", "e", String.class, "x");
            sim.await("the run to be done", () -> handle.describe().status().isClosed());
            assertThat(sim.elapsed().minus(started)).isLessThan(Duration.ofSeconds(1));
        });
    }

    @Test
    void findReturnsTheLatestRunOrNothing() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            assertThat(dormouse.find("l", String.class)).isEmpty();
            WorkflowHandle<String> handle = dormouse.start("log", "l", String.class, "x");
            assertThat(dormouse.find("l", String.class).orElseThrow().runId()).isEqualTo(handle.runId());
            assertThat(dormouse.find("L", String.class)).isEmpty();
            assertThat(dormouse.find("l ", String.class)).isEmpty();
        });
    }

    @Test
    void everythingWorksWithSeveralShards() {
        simulate(5, sim -> {
            Dormouse dormouse = open(sim);
            for (int i = 0; i < 30; i++) {
                dormouse.start("Greeting", "g" + i, String.class, "n" + i);
            }
            for (int i = 0; i < 30; i++) {
                assertThat(sim.result(dormouse.find("g" + i, String.class).orElseThrow()))
                        .isEqualTo("hello n" + i + " true");
            }
            sim.assertStillWorks(dormouse);
        });
    }
}
