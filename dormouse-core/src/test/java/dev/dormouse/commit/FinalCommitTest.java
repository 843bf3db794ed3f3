package dev.dormouse.commit;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.Durability;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.run.Commit;
import dev.dormouse.support.Jobs;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.testing.sim.FaultProfile;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The final commit of a run, for which no thread waits, and events that occur before it completes. */
class FinalCommitTest {
    private static final FaultProfile SLOW = FaultProfile.CALM.withLatency(Duration.ofMillis(200));

    /** Registers a workflow that executes a step and returns the number of signals received. */
    private static DormouseBuilder counting(SimulatedDormouse sim, DormouseBuilder node, Durability durability) {
        return node.workflow(Jobs.OpenJob.class, durability, () -> new Jobs.OpenJob() {
            private int poked;

            @Override
            public String work(String input) {
                Workflow.step("s", () -> sim.log("s"));
                sim.log("end");
                return "poked " + poked;
            }

            @Override
            public void poke(String what) {
                sim.log(what);
                poked++;
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void signalThatOvertakesTheEndIsHandledAndNoStepIsRepeated(Durability durability) {
        simulate(sim -> {
            Dormouse one = sim.open(SLOW, node -> counting(sim, node, durability));
            Dormouse two = sim.open(FaultProfile.PERFECT, node -> node.remoteWorkflow("w"));
            WorkflowHandle<String> handle = Scenario.start(one);
            sim.await("the end of the code", () -> sim.count("end") == 1);
            two.find("w", String.class).orElseThrow().signal("poke", "early");
            assertThat(sim.result(handle)).isEqualTo("poked 1");
            assertThat(sim.count("early")).isPositive();
            assertThat(sim.count("s")).isEqualTo(1);
        });
    }

    @Test
    void signalsThatNeverStopDoNotKeepTheCodeFromEnding() {
        simulate(sim -> {
            Dormouse one = sim.open(SLOW, node -> counting(sim, node, Durability.STRICT));
            Dormouse two = sim.open(FaultProfile.PERFECT, node -> node.remoteWorkflow("w"));
            Scenario.start(one);
            sim.await("the end of the code", () -> sim.count("end") == 1);
            WorkflowHandle<String> there = two.find("w", String.class).orElseThrow();
            for (int i = 0; i < 20; i++) {
                there.signal("poke", "signal");
                sim.advance(Duration.ofMillis(20));
            }
            sim.result(there);
            assertThat(sim.count("s")).isEqualTo(1);
            assertThat(sim.count("end"))
                    .as("begun anew once, and then it waits")
                    .isLessThanOrEqualTo(2);
        });
    }

    @Test
    void endThatTheStoreRefusesLeavesItStuckWithItsReason() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> counting(sim, node, Durability.STRICT));
            sim.store().refused = FinalCommitTest::closes;
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.await("stuck", () -> handle.describe().status() == RunStatus.STUCK);
            assertThat(handle.describe().trouble()).contains("this is refused");
            sim.store().refused = commit -> false;
            handle.retry();
            assertThat(sim.result(handle)).isEqualTo("poked 0");
        });
    }

    private static boolean closes(Commit commit) {
        return commit.next().status().isClosed();
    }

    @Test
    void nodeThatClosesWaitsForTheLastCommits() {
        simulate(sim -> {
            Dormouse one = sim.open(SLOW, node -> counting(sim, node, Durability.STRICT));
            Scenario.start(one);
            sim.await("the end of the code", () -> sim.count("end") == 1);
            one.close();
            Dormouse two = sim.open(node -> node.remoteWorkflow("w"));
            assertThat(two.find("w", String.class).orElseThrow().describe().status())
                    .isEqualTo(RunStatus.COMPLETED);
        });
    }

    /** The thread that completes the result also commits other runs. */
    @Test
    void callbackOfAResultMayWaitForAnotherRun() {
        simulate(sim -> {
            Dormouse dormouse =
                    sim.open(node -> counting(sim, node, Durability.STRICT).writers(1));
            CompletableFuture<String> second = Scenario.start(dormouse)
                    .resultAsync()
                    .thenApply(first -> {
                        WorkflowHandle<String> next = dormouse.start("w", "next", String.class, "");
                        return first + ", " + next.result(Duration.ofMinutes(1));
                    });
            sim.await("both", second::isDone);
            assertThat(second.join()).isEqualTo("poked 0, poked 0");
        });
    }
}
