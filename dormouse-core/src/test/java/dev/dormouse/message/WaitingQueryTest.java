package dev.dormouse.message;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.CancellationScope;
import dev.dormouse.DebouncedTimer;
import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.QueryMethod;
import dev.dormouse.SignalMethod;
import dev.dormouse.StartOptions;
import dev.dormouse.UpdatableTimer;
import dev.dormouse.UpdateMethod;
import dev.dormouse.UpdateValidatorMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Queries, validators and handlers that use timers, promises and scopes. */
class WaitingQueryTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @WorkflowInterface
    interface Meddled {
        @WorkflowMethod
        String run(long seconds);

        @QueryMethod
        String meddle(String how);

        @UpdateMethod
        String slowly(long seconds);

        @SignalMethod
        void lazily(long seconds);

        @UpdateMethod
        String validated(String how);

        @UpdateValidatorMethod(update = "validated")
        void validate(String how);
    }

    static final class MeddledWorkflow implements Meddled {
        private final UpdatableTimer timer = Workflow.newUpdatableTimer("t");
        private final DebouncedTimer<String> debounced = Workflow.newDebouncedTimer(SECOND, SECOND);
        private Promise<Void> promise;
        private CancellationScope scope;
        private String handled = "";

        @Override
        public String run(long seconds) {
            Instant begin = Workflow.now();
            promise = Workflow.newTimer(Duration.ofSeconds(seconds));
            scope = Workflow.newCancellationScope(() -> timer.sleepUntil(begin.plusSeconds(seconds)));
            scope.run();
            promise.get();
            return Duration.between(begin, Workflow.now()).toSeconds() + " "
                    + timer.changes().size() + " " + debounced.endsAt() + handled;
        }

        @Override
        public String meddle(String how) {
            switch (how) {
                case "get" -> promise.get();
                case "await" -> promise.await(SECOND);
                case "cancel" -> promise.cancel();
                case "scope" -> scope.cancel();
                case "move" -> timer.updateWakeUpTime(Instant.EPOCH);
                case "sleep" -> timer.sleepUntil(Instant.MAX);
                case "touch" -> debounced.touch("x");
                case "debounce" -> debounced.awaitLast();
                case "async" -> Workflow.async(() -> "x");
                case "then" -> promise.then(x -> x);
                case "timer" -> Workflow.newTimer(SECOND);
                case "child" -> Workflow.child("x", "x", String.class);
                case "signal" -> Workflow.signal("x", "x");
                case "continue" -> Workflow.continueAsNew(1);
                default -> throw new IllegalStateException(how);
            }
            return "went";
        }

        @Override
        public String slowly(long seconds) {
            try {
                Workflow.sleep(Duration.ofSeconds(seconds));
                return "slept";
            } catch (CancelledException cancelled) {
                return "cancelled";
            }
        }

        @Override
        public void lazily(long seconds) {
            Workflow.sleep(Duration.ofSeconds(seconds));
            handled = " handled";
        }

        @Override
        public String validated(String how) {
            return "valid";
        }

        @Override
        public void validate(String how) {
            meddle(how);
        }
    }

    private static Dormouse open(SimulatedDormouse sim) {
        return sim.open(node -> node.workflow(Meddled.class, MeddledWorkflow::new));
    }

    private static void harmless(boolean validator, List<String> hows, boolean refused) {
        for (long seconds : List.of(4L, 30L)) {
            for (String how : hows) {
                simulate(sim -> {
                    Dormouse dormouse = open(sim);
                    Meddled run = dormouse.workflow(Meddled.class, "m");
                    WorkflowHandle<String> handle = dormouse.start(() -> run.run(seconds));
                    sim.advance(SECOND);
                    Throwable problem = catchThrowable(() -> {
                        if (validator) {
                            run.validated(how);
                        } else {
                            run.meddle(how);
                        }
                    });
                    if (refused) {
                        assertThat(problem).as(how).isNotNull();
                        assertClear(problem, validator ? ErrorCode.UPDATE_REJECTED : ErrorCode.NOT_ALLOWED_HERE);
                        assertThat(problem.getMessage()).as(how).contains("[DM1009]");
                    }
                    assertThat(sim.result(handle)).as(how + " of " + seconds).isEqualTo(seconds + " 0 null");
                });
            }
        }
    }

    private static final List<String> WAITS =
            List.of("get", "await", "sleep", "debounce", "async", "then", "timer", "child", "continue");
    private static final List<String> CHANGES = List.of("cancel", "scope", "move", "touch");

    @Test
    void queryThatWaitsOrSchedulesIsRefused() {
        harmless(false, WAITS, true);
    }

    @Test
    void queryThatCancelsOrMovesSomethingDoesNotHarmTheRun() {
        harmless(false, CHANGES, false);
    }

    @Test
    void queryThatSendsASignalIsRefused() {
        harmless(false, List.of("signal"), true);
    }

    @Test
    void signalOfAValidatorDoesNotHarmTheRun() {
        harmless(true, List.of("signal"), false);
    }

    @Test
    void signalOfAQueryDoesNotHarmTheRun() {
        harmless(false, List.of("signal"), false);
    }

    @Test
    void validatorThatSendsASignalIsRefused() {
        harmless(true, List.of("signal"), true);
    }

    @Test
    void validatorThatWaitsOrSchedulesIsRefused() {
        harmless(true, WAITS, true);
    }

    @Test
    void validatorThatCancelsOrMovesSomethingDoesNotHarmTheRun() {
        harmless(true, CHANGES, false);
    }

    @Test
    void handlerThatWaitsIsCancelledWithTheRunAndItsCallerIsAnswered() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Meddled run = dormouse.workflow(Meddled.class, "m");
            WorkflowHandle<String> handle = dormouse.start(() -> run.run(1_000));
            sim.advance(SECOND);
            String[] answer = {null};
            sim.inBackground(() -> {
                try {
                    answer[0] = run.slowly(900);
                } catch (RuntimeException problem) {
                    answer[0] = problem.getMessage();
                }
            });
            sim.advance(Duration.ofSeconds(10));
            handle.cancel("enough");
            assertClear(sim.failure(handle), ErrorCode.RUN_CANCELLED);
            sim.await("an answer", () -> answer[0] != null);
            assertThat(answer[0]).matches("cancelled|\\[DM30(02|10|11)].*");
        });
    }

    @Test
    void signalHandlerThatWaitsContinuesBesideTheWorkflowAfterAKill() {
        for (long kill : List.of(1, 5, 15, 25)) {
            simulate(sim -> {
                Dormouse one = open(sim);
                Meddled run = one.workflow(Meddled.class, "m");
                one.start(() -> run.run(60));
                sim.advance(SECOND);
                run.lazily(20);
                sim.advance(Duration.ofSeconds(kill));
                sim.kill(one);
                Dormouse two = open(sim);
                assertThat(sim.result(two.find("m", String.class).orElseThrow()))
                        .endsWith(" 0 null handled");
            });
        }
    }

    @Test
    void timerOfARunThatHasNotBegunIsMovedAtItsBeginOrRefusedClearly() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Meddled run =
                    dormouse.workflow(Meddled.class, "m", StartOptions.DEFAULT.withStartDelay(Duration.ofHours(1)));
            WorkflowHandle<String> handle = dormouse.start(() -> run.run(60));
            sim.advance(SECOND);
            Throwable problem =
                    catchThrowable(() -> handle.timer("t").reschedule(sim.now().plus(Duration.ofHours(2))));
            assertThat(problem).isNotNull();
            assertThat(problem.getMessage()).matches("(?s)\\[DM\\d{4}] Expected .*, but.*");
            assertThat(handle.describe().status()).isEqualTo(RunStatus.PENDING);
            assertThat(sim.result(handle)).matches("360[01] 1 .*"); // it was moved some time after the first second
        });
    }
}
