package dev.dormouse.commit;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.ActivityInterface;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.Durability;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.EventCodec;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.support.Jobs;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Workflows with {@link Durability#BATCHED}, whose results are committed later. */
class BatchedTest {
    private static final int STEPS = 10;
    private static final Duration LONG = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    /** A way to register a workflow. */
    private interface Manner {
        DormouseBuilder register(DormouseBuilder node, Supplier<String> code, Durability durability);
    }

    static Stream<Manner> manners() {
        return Stream.of(Jobs::inline, Jobs::beside);
    }

    private static String steps(SimulatedDormouse sim, int number, Duration each) {
        for (int i = 1; i <= number; i++) {
            String name = "s" + i;
            Workflow.step(name, () -> {
                sim.log(name);
                sim.advance(each);
            });
        }
        return "done";
    }

    private static List<HistoryRow> commits(SimulatedDormouse sim, WorkflowHandle<?> handle) {
        return sim.store().histories(0, List.of(handle.runId()));
    }

    private static List<String> committed(SimulatedDormouse sim, WorkflowHandle<?> handle) {
        return commits(sim, handle).stream()
                .flatMap(row -> EventCodec.decode(row.payload()).stream())
                .filter(Event.StepCompleted.class::isInstance)
                .map(event -> ((Event.StepCompleted) event).name())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("manners")
    void quickStepsAreCommittedWithTheEnd(Manner manner) {
        simulate(sim -> {
            Dormouse dormouse = sim.open(
                    node -> manner.register(node, () -> steps(sim, STEPS, Duration.ofMillis(1)), Durability.BATCHED));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(commits(sim, handle)).hasSize(2);
            assertThat(committed(sim, handle)).hasSize(STEPS);
        });
    }

    @ParameterizedTest
    @MethodSource("manners")
    void strictStepsAreCommittedBeforeTheNextBegins(Manner manner) {
        simulate(sim -> {
            Dormouse dormouse = sim.open(
                    node -> manner.register(node, () -> steps(sim, STEPS, Duration.ofMillis(1)), Durability.STRICT));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(commits(sim, handle)).hasSize(STEPS + 1);
        });
    }

    @ParameterizedTest
    @MethodSource("manners")
    void resultsAreCommittedSoonWhileALongStepExecutes(Manner manner) {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> manner.register(
                    node,
                    () -> {
                        steps(sim, 3, Duration.ZERO);
                        return Workflow.step("long", String.class, () -> {
                            sim.advance(LONG);
                            return "long";
                        });
                    },
                    Durability.BATCHED));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.await("three steps", () -> sim.log().size() == 3);
            assertThat(committed(sim, handle)).isEmpty();
            sim.advance(Duration.ofMillis(200));
            assertThat(committed(sim, handle)).containsExactly("s1", "s2", "s3");
            assertThat(sim.result(handle)).isEqualTo("long");
            assertThat(commits(sim, handle)).hasSize(3);
        });
    }

    @ParameterizedTest
    @MethodSource("manners")
    void crashExecutesTheLastStepsAgainAndNoOthers(Manner manner) {
        simulate(sim -> {
            Supplier<String> code = () -> {
                steps(sim, 3, Duration.ZERO);
                Workflow.sleep(Duration.ofSeconds(1));
                return steps(sim, 2 * STEPS, Duration.ofMillis(10));
            };
            Dormouse one = sim.open(node -> manner.register(node, code, Durability.BATCHED));
            Scenario.start(one);
            sim.await("twelve steps", () -> sim.log().size() == 3 + 12);
            sim.kill(one);
            Dormouse two = sim.open(node -> manner.register(node, code, Durability.BATCHED));
            assertThat(sim.result(two.find("w", String.class).orElseThrow())).isEqualTo("done");
            assertThat(sim.count("s1")).as("before the sleep and after it").isEqualTo(2);
            int again = sim.log().size() - 3 - 2 * STEPS;
            assertThat(again).as("steps of the last 50 ms and a commit").isBetween(1, 9);
        });
    }

    @Test
    void signalIsCommittedBeforeAStepThatFollowsIt() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node ->
                    node.workflow("w", Durability.BATCHED, String.class, String.class, (ctx, input) -> {
                        ctx.step("before", () -> {});
                        String said =
                                ctx.waitForSignal("say", HOUR).orElseThrow().value(String.class);
                        ctx.step(
                                "after",
                                () -> sim.log(committedMail(sim, ctx.info().runId()) + " " + said));
                        return said;
                    }));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            handle.signal("say", "hello");
            assertThat(sim.result(handle)).isEqualTo("hello");
            assertThat(sim.log()).containsExactly("1 hello");
        });
    }

    private static long committedMail(SimulatedDormouse sim, UUID runId) {
        return sim.store().histories(0, List.of(runId)).stream()
                .flatMap(row -> EventCodec.decode(row.payload()).stream())
                .filter(Event.MailReceived.class::isInstance)
                .count();
    }

    @Test
    void nodeThatClosesLosesNoResult() {
        simulate(sim -> {
            Supplier<String> code = () -> steps(sim, STEPS, Duration.ofMillis(20));
            Dormouse one = sim.open(node -> Jobs.inline(node, code, Durability.BATCHED));
            Scenario.start(one);
            sim.await("a few steps", () -> sim.log().size() == 5);
            one.close();
            Dormouse two = sim.open(node -> Jobs.inline(node, code, Durability.BATCHED));
            assertThat(sim.result(two.find("w", String.class).orElseThrow())).isEqualTo("done");
            assertThat(sim.log()).hasSize(STEPS).doesNotHaveDuplicates();
        });
    }

    @Test
    void nodeThatIsClosedWithoutPatienceLosesOnlyTheStepThatIsInItsWay() {
        simulate(sim -> {
            Supplier<String> code = () -> {
                steps(sim, 3, Duration.ZERO);
                return Workflow.step("long", String.class, () -> {
                    sim.log("long");
                    sim.advance(Duration.ofMinutes(1));
                    return "long";
                });
            };
            Dormouse one =
                    sim.open(node -> Jobs.inline(node, code, Durability.BATCHED).closeGrace(Duration.ofSeconds(1)));
            Scenario.start(one);
            sim.await("the long step", () -> sim.count("long") == 1);
            one.close();
            Dormouse two = sim.open(node -> Jobs.inline(node, code, Durability.BATCHED));
            assertThat(sim.result(two.find("w", String.class).orElseThrow())).isEqualTo("long");
            assertThat(sim.log()).containsExactly("s1", "s2", "s3", "long", "long");
        });
    }

    /** The result of a step counts even if this node cannot execute the next one, in strict runs as well. */
    @Test
    void resultIsKeptWhenAnotherNodeMustContinue() {
        for (Durability durability : Durability.values()) {
            simulate(sim -> {
                Supplier<String> code = () -> {
                    steps(sim, 2, Duration.ZERO);
                    return Workflow.activities(Greeter.class).greet();
                };
                Dormouse without = sim.open(node -> Jobs.inline(node, code, durability));
                WorkflowHandle<String> handle = Scenario.start(without);
                sim.await("both steps", () -> sim.log().size() == 2);
                sim.advance(LONG);
                sim.open(node -> Jobs.inline(node, code, durability).activities(Greeter.class, () -> "hello"));
                assertThat(sim.result(handle)).isEqualTo("hello");
                assertThat(sim.log()).containsExactly("s1", "s2");
            });
        }
    }

    @ActivityInterface
    interface Greeter {
        String greet();
    }

    @Test
    void durabilityIsRequired() {
        assertClear(catchThrowable(() -> Jobs.inline(Dormouse.builder(), () -> "", null)), ErrorCode.BAD_ARGUMENT);
    }
}
