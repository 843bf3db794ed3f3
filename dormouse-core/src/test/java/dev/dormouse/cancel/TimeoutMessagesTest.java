package dev.dormouse.cancel;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.StartOptions;
import dev.dormouse.TypeRef;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.UpdateFailedException;
import dev.dormouse.error.WorkflowException;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Box;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.testing.sim.FaultProfile;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages around an execution timeout: accepted ones are handled, all others are refused. */
class TimeoutMessagesTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final FaultProfile SLOW = FaultProfile.CALM.withLatency(Duration.ofMillis(40));

    /** A workflow that collects its signals and ends only on request. */
    private static class Listener extends Box.Open {
        private final SimulatedDormouse sim;

        Listener(SimulatedDormouse sim) {
            this.sim = sim;
        }

        @Override
        public void put(String text) {
            super.put(text);
            if (!Workflow.info().isReplaying()) {
                sim.log(text);
            }
        }

        @Override
        public String change(String text) {
            return "changed to " + text;
        }

        @Override
        public void set(String text) {
            Workflow.sleep(HOUR);
        }

        @Override
        public void mayBeSet(String text) {}
    }

    private static Dormouse listen(SimulatedDormouse sim, FaultProfile profile) {
        return sim.open(profile, node -> node.workflow(Box.class, () -> new Listener(sim)));
    }

    private static WorkflowHandle<String> start(Dormouse dormouse, Duration timeout) {
        Box box = dormouse.workflow(Box.class, "b", StartOptions.DEFAULT.withExecutionTimeout(timeout));
        return dormouse.start(() -> box.run(""));
    }

    private static void advanceTo(SimulatedDormouse sim, Instant instant) {
        sim.advance(Duration.between(sim.now(), instant));
    }

    /** Sends signals until one is refused. */
    private static List<String> send(SimulatedDormouse sim, Dormouse client, String sender) {
        List<String> accepted = new ArrayList<>();
        WorkflowHandle<String> handle = client.find("b", String.class).orElseThrow();
        for (int i = 0; ; i++) {
            try {
                handle.signal("put", sender + i);
                accepted.add(sender + i);
            } catch (DormouseException closed) {
                assertClear(closed, ErrorCode.RUN_CLOSED);
                return accepted;
            }
            sim.advance(Duration.ofMillis(3));
        }
    }

    @Test
    void everySignalThatWasAcceptedAroundTheDeadlineIsHandled() {
        simulate(sim -> {
            Dormouse dormouse = listen(sim, SLOW);
            Instant deadline = sim.now().plus(MINUTE);
            start(dormouse, MINUTE);
            Dormouse client = sim.open(SLOW, node -> node.remoteWorkflow(Box.class));
            advanceTo(sim, deadline.minusMillis(150));
            List<String> accepted = new ArrayList<>();
            int[] ended = {0};
            for (String sender : List.of("a", "b", "c")) {
                sim.inBackground(() -> {
                    accepted.addAll(send(sim, client, sender));
                    ended[0]++;
                });
            }
            sim.await("all senders to be refused", () -> ended[0] == 3);
            assertThat(accepted).isNotEmpty();
            assertThat(sim.log()).containsExactlyInAnyOrderElementsOf(accepted);
            WorkflowHandle<String> handle = dormouse.find("b", String.class).orElseThrow();
            assertThat(handle.describe().status()).isEqualTo(RunStatus.TIMED_OUT);
            assertThat(handle.query("seen", new TypeRef<List<String>>() {}))
                    .containsExactlyInAnyOrderElementsOf(accepted);
        });
    }

    @Test
    void signalThatWasAcceptedAfterTheDeadlineIsHandledAndDoesNotCompleteTheRun() {
        simulate(sim -> {
            Dormouse first = listen(sim, FaultProfile.CALM);
            start(first, MINUTE);
            sim.advance(Duration.ofSeconds(1));
            sim.kill(first);
            Dormouse client = sim.open(node -> node.remoteWorkflow(Box.class));
            sim.advance(MINUTE.multipliedBy(2));
            client.find("b", String.class).orElseThrow().signal("put", "late");
            client.workflow(Box.class, "b").end();
            Dormouse second = listen(sim, FaultProfile.CALM);
            WorkflowHandle<String> handle = second.find("b", String.class).orElseThrow();
            assertClear(sim.failure(handle), ErrorCode.RUN_TIMED_OUT);
            assertThat(sim.log()).containsExactly("late");
            assertThat(handle.query("seen", new TypeRef<List<String>>() {})).containsExactly("late");
        });
    }

    @Test
    void signalThatWasAcceptedBeforeTheDeadlineCompletesTheRunHoweverLateItIsRead() {
        simulate(sim -> {
            Dormouse first = listen(sim, FaultProfile.CALM);
            start(first, MINUTE);
            sim.advance(Duration.ofSeconds(1));
            sim.kill(first);
            Dormouse client = sim.open(node -> node.remoteWorkflow(Box.class));
            client.workflow(Box.class, "b").put("in time");
            client.workflow(Box.class, "b").end();
            sim.advance(MINUTE.multipliedBy(2));
            client.workflow(Box.class, "b").put("late");
            Dormouse second = listen(sim, FaultProfile.CALM);
            WorkflowHandle<String> handle = second.find("b", String.class).orElseThrow();
            assertThat(sim.result(handle)).isEqualTo("in time");
            assertThat(sim.log()).containsExactly("in time", "late");
        });
    }

    @Test
    void signalInTimeCompletesARunThatBeginsOnlyAfterItsDeadline() {
        simulate(sim -> {
            Dormouse client = sim.open(node -> node.remoteWorkflow(Box.class));
            WorkflowHandle<String> handle = start(client, MINUTE);
            client.workflow(Box.class, "b").put("in time");
            client.workflow(Box.class, "b").end();
            sim.advance(MINUTE.multipliedBy(2));
            client.workflow(Box.class, "b").put("late");
            listen(sim, FaultProfile.CALM);
            assertThat(sim.result(handle)).isEqualTo("in time");
            assertThat(sim.log()).containsExactly("in time", "late");
        });
    }

    @Test
    void updatesThatWereAcceptedAroundTheDeadlineAreAnsweredOrRefused() {
        simulate(sim -> {
            Dormouse dormouse = listen(sim, SLOW);
            Instant deadline = sim.now().plus(MINUTE);
            start(dormouse, MINUTE);
            Dormouse client = sim.open(SLOW, node -> node.remoteWorkflow(Box.class));
            advanceTo(sim, deadline.minusMillis(100));
            List<String> answers = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                String update = i % 2 == 0 ? "change" : "set";
                sim.inBackground(() -> {
                    WorkflowHandle<String> handle =
                            client.find("b", String.class).orElseThrow();
                    try {
                        answers.add(handle.update(update, String.class, "x"));
                    } catch (UpdateFailedException | WorkflowException refused) {
                        answers.add(refused.code().label());
                    } catch (DormouseException refused) {
                        answers.add(refused.code().label());
                    }
                });
                sim.advance(Duration.ofMillis(10));
            }
            sim.advance(MINUTE.dividedBy(2)); // well before callers give up
            assertThat(answers)
                    .hasSize(30)
                    .allMatch(answer -> answer.equals("changed to x") || answer.equals("DM3002"));
            assertThat(answers).contains("changed to x", "DM3002");
        });
    }

    private static WorkflowFunction<String, String> twoSteps(SimulatedDormouse sim, String name) {
        return (ctx, input) -> {
            ctx.step(name, () -> sim.log(name));
            return ctx.waitForSignal(HOUR.multipliedBy(9)).orElseThrow().name();
        };
    }

    private static Dormouse open(SimulatedDormouse sim, String build, String step) {
        return sim.open(node -> node.buildId(build).workflow("w", String.class, String.class, twoSteps(sim, step)));
    }

    @Test
    void stuckRunWhoseTimeIsUpStaysStuckUntilItsMailIsTaken() {
        simulate(sim -> {
            Dormouse old = open(sim, "old", "one");
            old.start("w", "w", StartOptions.DEFAULT.withExecutionTimeout(HOUR), String.class, "");
            sim.advance(MINUTE);
            old.close();
            Dormouse changed = open(sim, "new", "other");
            WorkflowHandle<String> handle = changed.find("w", String.class).orElseThrow();
            handle.signal("go");
            sim.awaitStatus(handle, RunStatus.STUCK);
            sim.advance(HOUR.multipliedBy(4));
            assertThat(handle.describe().status()).isEqualTo(RunStatus.STUCK);
            assertClear(handle.describe().trouble(), ErrorCode.CODE_DOES_NOT_MATCH);
            assertThat(handle.describe().trouble()).contains("timeout expired");
            Dormouse right = open(sim, "old", "one");
            assertThat(sim.result(right.find("w", String.class).orElseThrow())).isEqualTo("go");
            assertClear(catchThrowable(() -> handle.signal("again")), ErrorCode.RUN_CLOSED);
        });
    }

    @Test
    void stuckRunWithUnreadMailCanBeTerminated() {
        simulate(sim -> {
            Dormouse old = open(sim, "old", "one");
            old.start("w", "w", StartOptions.DEFAULT.withExecutionTimeout(HOUR), String.class, "");
            sim.advance(MINUTE);
            old.close();
            Dormouse changed = open(sim, "new", "other");
            WorkflowHandle<String> handle = changed.find("w", String.class).orElseThrow();
            handle.signal("go");
            sim.awaitStatus(handle, RunStatus.STUCK);
            sim.advance(HOUR.multipliedBy(2));
            assertThat(handle.terminate("given up")).isTrue();
            assertThat(handle.describe().status()).isEqualTo(RunStatus.TERMINATED);
        });
    }
}
