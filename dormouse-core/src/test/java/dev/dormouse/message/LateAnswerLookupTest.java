package dev.dormouse.message;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.StartOptions;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Box;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.testing.sim.FaultProfile;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Callers of updates who look for the answer late, because notices are lost. Meanwhile the run that accepted the update
 * has continued as new or was reset, its successor has answered and closed, and another start has replaced that; or the
 * run is stuck after takeovers, and its row does not say which messages it has consumed.
 */
class LateAnswerLookupTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final FaultProfile DEAF = FaultProfile.CALM.withBadNotices(1, 0, Duration.ZERO);

    /** Executes a step for a while, and continues as new if asked. Its successor ends after the first update. */
    private static Dormouse open(SimulatedDormouse sim, Duration step, boolean continues) {
        return sim.open(node -> node.workflow(Box.class, () -> new Box.Open() {
            @Override
            public String run(String input) {
                if (input.equals("first") && sim.count("reset") == 0) {
                    Workflow.step("s", () -> sim.advance(step));
                    if (continues) {
                        Workflow.continueAsNew("second");
                    }
                }
                Workflow.await(() -> input.equals("third") ? ended : !seen.isEmpty());
                return input;
            }
        }));
    }

    private static WorkflowHandle<String> latest(Dormouse dormouse) {
        return dormouse.find("b", String.class).orElseThrow();
    }

    private static CompletableFuture<String> updateInBackground(SimulatedDormouse sim, Dormouse client) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        sim.inBackground(() -> {
            try {
                answer.complete(latest(client).updateOnce("u", MINUTE, "change", String.class, "a"));
            } catch (RuntimeException problem) {
                answer.completeExceptionally(problem);
            }
        });
        return answer;
    }

    private static WorkflowHandle<String> startFirst(Dormouse node) {
        Box box = node.workflow(Box.class, "b");
        return node.start(() -> box.run("first"));
    }

    private static void replaceSuccessorOf(SimulatedDormouse sim, Dormouse node, WorkflowHandle<String> first) {
        sim.await(
                "the successor is closed",
                () -> sim.store()
                        .current(0, "b")
                        .filter(row -> !row.runId().equals(first.runId()) && row.status() == RunStatus.COMPLETED)
                        .isPresent());
        Box third = node.workflow(Box.class, "b", StartOptions.DEFAULT.withIdReuse(IdReuse.START_NEW));
        node.start(() -> third.run("third"));
    }

    private static void assertAnswered(SimulatedDormouse sim, CompletableFuture<String> answer) {
        sim.await("an end", answer::isDone);
        assertThat(answer).isCompletedWithValue("changed to a");
    }

    @Test
    void successorAnswers() {
        simulate(sim -> {
            Dormouse node = open(sim, SECOND.multipliedBy(3), true);
            Dormouse client = sim.open(builder -> builder.remoteWorkflow(Box.class));
            WorkflowHandle<String> first = startFirst(node);
            sim.advance(SECOND.dividedBy(2));
            sim.behave(node, DEAF);
            sim.behave(client, DEAF);
            CompletableFuture<String> waiting = updateInBackground(sim, client);
            CompletableFuture<String> future = latest(client).updateAsync("change", String.class, "a");
            replaceSuccessorOf(sim, node, first);
            assertThat(waiting).as("has not looked yet").isNotDone();
            assertAnswered(sim, waiting);
            assertAnswered(sim, future);
        });
    }

    @Test
    void runAnswersAfterAReset() {
        simulate(sim -> {
            Dormouse node = open(sim, SECOND.multipliedBy(30), false);
            Dormouse client = sim.open(builder -> builder.remoteWorkflow(Box.class));
            WorkflowHandle<String> first = startFirst(node);
            sim.advance(SECOND.dividedBy(2));
            sim.behave(node, DEAF);
            sim.behave(client, DEAF);
            CompletableFuture<String> waiting = updateInBackground(sim, client);
            sim.advance(SECOND.multipliedBy(3));
            sim.log("reset");
            first.reset(1);
            replaceSuccessorOf(sim, node, first);
            assertThat(waiting).as("has not looked yet").isNotDone();
            assertAnswered(sim, waiting);
        });
    }

    @Test
    void runIsStuckAfterTakeovers() {
        simulate(sim -> {
            boolean[] blocks = {false};
            Dormouse client = sim.open(builder -> builder.remoteWorkflow(Box.class));
            Dormouse one = openForOneTakeover(sim, blocks);
            startFirst(one);
            sim.awaitStatus(latest(client), RunStatus.WAITING);
            String answer = latest(client).updateOnce("u", MINUTE, "change", String.class, "a");
            sim.kill(one);
            blocks[0] = true;
            Dormouse two = openForOneTakeover(sim, blocks);
            sim.await("two executes it", () -> sim.count("blocked") == 1);
            sim.kill(two);
            openForOneTakeover(sim, blocks);
            sim.awaitStatus(latest(client), RunStatus.STUCK);
            assertThat(latest(client).updateOnce("u", MINUTE, "change", String.class, "a"))
                    .isEqualTo(answer);
        });
    }

    private static Dormouse openForOneTakeover(SimulatedDormouse sim, boolean[] blocks) {
        return sim.open(node -> node.maxTakeovers(1).workflow(Box.class, () -> new Box.Open() {
            @Override
            public String run(String input) {
                if (blocks[0]) {
                    sim.log("blocked");
                    sim.advance(Duration.ofHours(1));
                }
                return super.run(input);
            }
        }));
    }
}
