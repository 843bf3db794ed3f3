package dev.dormouse.activity;

import static dev.dormouse.support.SimulatedDormouse.ONCE;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.dormouse.Activity;
import dev.dormouse.ActivityOptions;
import dev.dormouse.CancellationScope;
import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.RetryPolicy;
import dev.dormouse.StepFunction;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.internal.run.StepState;
import dev.dormouse.internal.run.StepTransition;
import dev.dormouse.internal.run.StepTransition.Cause;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The table of a step's transitions: every one is visited, and no other. */
class StepTransitionTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final ActivityOptions RETRIED = ActivityOptions.DEFAULT
            .withRetry(RetryPolicy.DEFAULT
                    .withInitialInterval(SECOND)
                    .withMaxAttempts(9)
                    .withNonRetryable(IllegalArgumentException.class))
            .withAttemptTimeout(MINUTE);

    /** The body of one attempt. */
    private interface Act {
        void play(SimulatedDormouse sim);

        default Act then(Act next) {
            return sim -> {
                play(sim);
                next.play(sim);
            };
        }
    }

    private static final Act RETURN = sim -> {};
    private static final Act FAIL = sim -> {
        throw new IllegalStateException("as it should");
    };
    private static final Act FAIL_FOR_GOOD = sim -> {
        throw new IllegalArgumentException("as it should");
    };
    private static final Act PAUSE = sim -> Activity.pause("nap", SECOND);
    private static final Act HAND_OUT = sim -> sim.log(Activity.completeLater());
    private static final Act WORK = sim -> sim.advance(MINUTE.multipliedBy(2));

    private final Logger logger = (Logger) LoggerFactory.getLogger(StepTransition.class);
    private final Set<StepTransition> visited = new HashSet<>();
    private final AppenderBase<ILoggingEvent> visits = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent line) {
            visited.add((StepTransition) line.getArgumentArray()[0]);
        }
    };

    @BeforeEach
    void watch() {
        logger.setLevel(Level.TRACE);
        logger.setAdditive(false);
        logger.addAppender(visits);
        visits.start();
    }

    @AfterEach
    void leave() {
        logger.detachAppender(visits);
        logger.setAdditive(true);
        logger.setLevel(null);
    }

    private static StepFunction<String> step(SimulatedDormouse sim, Act... acts) {
        int[] next = {0};
        return () -> {
            acts[Math.min(next[0]++, acts.length - 1)].play(sim);
            return "done";
        };
    }

    /** Runs a step whose attempts are {@code acts}, and {@code outside} meanwhile, until the run is closed. */
    private static void playWith(Consumer<Outside> outside, ActivityOptions options, Act... acts) {
        simulate(sim -> {
            StepFunction<String> step = step(sim, acts);
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                String result = ctx.step("s", options, String.class, step);
                ctx.sleep(SECOND);
                return result;
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            outside.accept(new Outside(sim, dormouse, handle));
            sim.await("an end", () -> handle.describe().status().isClosed());
        });
    }

    private static void play(ActivityOptions options, Act... acts) {
        playWith(outside -> {}, options, acts);
    }

    private record Outside(SimulatedDormouse sim, Dormouse dormouse, WorkflowHandle<String> handle) {
        String token() {
            sim.await("a token", () -> !sim.log().isEmpty());
            sim.advance(SECOND);
            return sim.log().get(0);
        }

        /** Sends a message without a notice to the node that executes the run. */
        void sendUnnoticed(Message message) {
            Delivery delivery = new Delivery("w", "unnoticed " + message, message.kind(), MessageCodec.encode(message));
            sim.store().deliver(0, List.of(delivery), Duration.ofSeconds(15));
        }
    }

    private static void visitEnds() {
        for (List<Act> before : List.of(List.<Act>of(), List.of(FAIL), List.of(PAUSE))) {
            for (Act act : List.of(FAIL, PAUSE, RETURN, FAIL_FOR_GOOD)) {
                play(RETRIED, acts(before, act, RETURN));
            }
            playWith(
                    outside -> outside.dormouse().completeActivity(outside.token(), "x"),
                    RETRIED,
                    acts(before, HAND_OUT));
        }
    }

    private static Act[] acts(List<Act> before, Act... more) {
        List<Act> all = new ArrayList<>(before);
        all.addAll(List.of(more));
        return all.toArray(Act[]::new);
    }

    private static void visitHandedOut() {
        play(RETRIED, HAND_OUT, RETURN);
        play(ONCE.withAttemptTimeout(MINUTE), HAND_OUT);
        play(RETRIED, HAND_OUT.then(PAUSE), RETURN);
        for (RuntimeException problem : List.of(new IllegalStateException(), new IllegalArgumentException())) {
            playWith(outside -> outside.dormouse().failActivity(outside.token(), problem), RETRIED, HAND_OUT, RETURN);
        }
        play(RETRIED, HAND_OUT.then(WORK), RETURN);
        playWith(
                outside -> outside.dormouse().completeActivity(outside.token(), "x"),
                RETRIED,
                HAND_OUT.then(sim -> sim.advance(MINUTE.dividedBy(2))));
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, inMemory(sim, RETRIED, step(sim, HAND_OUT)));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            dormouse.completeActivity(new Outside(sim, dormouse, handle).token(), "x");
            assertThat(sim.result(handle)).isEqualTo("x");
        });
        // on the run's own thread, which takes the completion before the end of the attempt
        playWith(
                outside -> outside.dormouse().completeActivity(outside.token(), "x"),
                ONCE,
                HAND_OUT.then(sim -> sim.advance(MINUTE)));
        simulate(
                sim -> { // the token cannot be committed
                    boolean[] isRefused = {false};
                    sim.store().refused = commit -> {
                        boolean first = isRefused[0];
                        isRefused[0] = false;
                        return first;
                    };
                    StepFunction<String> step = step(sim, ((Act) any -> isRefused[0] = true).then(HAND_OUT), RETURN);
                    WorkflowHandle<String> handle =
                            Scenario.start(Scenario.open(sim, (ctx, input) -> ctx.step("s", ONCE, String.class, step)));
                    assertThat(sim.result(handle)).isEqualTo("done");
                });
    }

    private static void visitExpired() {
        play(RETRIED, WORK, RETURN);
        ActivityOptions slow = ActivityOptions.DEFAULT
                .withRetry(RetryPolicy.DEFAULT.withInitialInterval(HOUR))
                .withTotalTimeout(MINUTE);
        takeOver(
                slow.withRetry(RetryPolicy.DEFAULT
                        .withInitialInterval(MINUTE.dividedBy(2))
                        .withJitter(0)),
                FAIL,
                RETURN);
        play(slow, sim -> Activity.pause("nap", HOUR), RETURN);
        takeOver(slow, WORK.then(WORK)); // the time is up when another node takes the run over
        slowCode(RETRIED.withAttemptTimeout(SECOND.multipliedBy(5)), ctx -> {});
    }

    /** Kills the node that executes an attempt, and lets another take the run over. */
    private static void takeOver(ActivityOptions options, Act... acts) {
        simulate(sim -> {
            StepFunction<String> step = step(sim, acts);
            WorkflowFunction<String, String> code = (ctx, input) -> ctx.step("s", options, String.class, step);
            Dormouse one = Scenario.open(sim, code);
            Scenario.start(one);
            sim.advance(MINUTE.dividedBy(2));
            sim.kill(one);
            sim.advance(MINUTE);
            WorkflowHandle<String> handle =
                    Scenario.open(sim, code).find("w", String.class).orElseThrow();
            sim.await("an end", () -> handle.describe().status().isClosed());
        });
    }

    /** Lets a step hand out its token while the code computes, and plays {@code then} in the code after that. */
    private static void slowCode(ActivityOptions options, Consumer<CancellationScope> then) {
        simulate(sim -> {
            StepFunction<String> step =
                    step(sim, ((Act) any -> sim.advance(SECOND.multipliedBy(3))).then(HAND_OUT), RETURN);
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                CancellationScope scope = scope(ctx, options, step);
                ctx.sleep(SECOND);
                sim.advance(SECOND.multipliedBy(8));
                then.accept(scope);
                ctx.sleep(HOUR);
                return "late";
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("late");
        });
    }

    private static CancellationScope scope(WorkflowContext ctx, ActivityOptions options, StepFunction<String> step) {
        CancellationScope scope =
                ctx.newCancellationScope(() -> ctx.async(() -> ctx.step("s", options, String.class, step)));
        scope.run();
        return scope;
    }

    private static void visitAbandoned() {
        abandon(RETRIED, WORK); // ignores the interrupt until its time is up
        abandon(RETRIED, sim -> sim.advance(SECOND.multipliedBy(9)));
        abandon(RETRIED, HAND_OUT.then(sim -> sim.advance(SECOND.multipliedBy(9))));
        abandon(RETRIED, HAND_OUT);
        abandon(RETRIED, sim -> Activity.pause("nap", HOUR));
        abandon(RETRIED.withRetry(RetryPolicy.DEFAULT.withInitialInterval(HOUR)), FAIL);
        slowCode(RETRIED, CancellationScope::cancel);
        cancelBeforeItStarts(RETRIED);
        playWith(
                outside -> { // after a failure was reported, and before the policy has decided
                    String token = outside.token();
                    outside.sim().pause(outside.dormouse());
                    Dormouse other = Scenario.open(outside.sim(), (ctx, input) -> "");
                    other.failActivity(token, new IllegalStateException());
                    other.find("w", String.class).orElseThrow().cancel("as it should");
                    outside.sim().advance(SECOND);
                    outside.sim().resume(outside.dormouse());
                },
                RETRIED,
                HAND_OUT);
    }

    private static void cancelBeforeItStarts(ActivityOptions options) {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                CancellationScope scope = scope(ctx, options, () -> "done");
                Promise<String> cancel = ctx.async(() -> {
                    scope.cancel();
                    return "cancelled";
                });
                ctx.sleep(SECOND);
                return cancel.get();
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("cancelled");
        });
    }

    private static void abandon(ActivityOptions options, Act act) {
        simulate(sim -> {
            StepFunction<String> step = step(sim, act);
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                CancellationScope scope = scope(ctx, options, step);
                ctx.sleep(SECOND.multipliedBy(4));
                scope.cancel();
                ctx.sleep(HOUR);
                return "late";
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("late");
        });
    }

    /** Cancels steps of which no attempt executes, and whose end the code awaits. */
    private static void visitCancelled() {
        ActivityOptions waits = RETRIED.withWaitForCancellation();
        abandon(waits, HAND_OUT);
        abandon(waits, sim -> Activity.pause("nap", HOUR));
        abandon(waits.withRetry(RetryPolicy.DEFAULT.withInitialInterval(HOUR)), FAIL);
        cancelBeforeItStarts(waits);
    }

    /** Returns code that stays in memory while a step is handed out. */
    private static WorkflowFunction<String, String> inMemory(
            SimulatedDormouse sim, ActivityOptions options, StepFunction<String> step) {
        return (ctx, input) -> {
            ctx.async(() -> ctx.step("beside", ONCE, String.class, step(sim, WORK)));
            String result = ctx.step("s", options, String.class, step);
            ctx.sleep(MINUTE);
            return result;
        };
    }

    private static void visitDropped() {
        for (ActivityOptions options : List.of(RETRIED, ONCE.withAttemptTimeout(MINUTE))) {
            dropped(options, MINUTE, HAND_OUT); // its token expires
        }
        dropped(
                RETRIED,
                SECOND.multipliedBy(30),
                HAND_OUT.then(sim -> sim.advance(SECOND.multipliedBy(30))).then(PAUSE));
        simulate(
                sim -> { // the transaction of a step is rejected
                    int[] commits = {0};
                    sim.store().transactions = begun -> new StoreTransaction() {
                        @Override
                        public Connection connection() {
                            return begun.connection();
                        }

                        @Override
                        public CommitOutcome commit(Commit commit) {
                            return commits[0]++ > 0
                                    ? begun.commit(commit)
                                    : new CommitOutcome.Rejected(
                                            new StoreException(ErrorCode.STORE_FAILED, "as it should", null));
                        }

                        @Override
                        public void close() {
                            begun.close();
                        }
                    };
                    Dormouse dormouse = Scenario.open(
                            sim, (ctx, input) -> ctx.transaction("t", RETRIED, String.class, connection -> "done"));
                    assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("done");
                });
    }

    /** Lets an attempt with a token end after {@code length}, and just before that sends an unnoticed message. */
    private static void dropped(ActivityOptions options, Duration length, Act act) {
        simulate(sim -> {
            StepFunction<String> step = step(sim, act, RETURN);
            Dormouse dormouse = Scenario.open(sim, inMemory(sim, options, step));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            Outside outside = new Outside(sim, dormouse, handle);
            outside.token();
            sim.advance(length.minusMillis(1_500));
            outside.sendUnnoticed(new Message.Signal("unnoticed", List.of()));
            sim.await("an end", () -> handle.describe().status().isClosed());
        });
    }

    private static void visitTakeover() {
        takeOver(ActivityOptions.DEFAULT, PAUSE, WORK, RETURN);
    }

    @Test
    void everyDeclaredTransitionIsVisitedAndNoOther() {
        visitEnds();
        visitHandedOut();
        visitExpired();
        visitAbandoned();
        visitCancelled();
        visitDropped();
        visitTakeover();
        assertThat(visited).as("visited").isSubsetOf(StepTransition.TABLE);
        assertThat(StepTransition.TABLE).as("declared").isSubsetOf(visited);
    }

    @Test
    void otherTransitionsAreRefused() {
        assertThat(StepState.REQUESTED.to(StepState.EXECUTING, Cause.START)).isEqualTo(StepState.EXECUTING);
        assertThatThrownBy(() -> StepState.COMPLETED.to(StepState.EXECUTING, Cause.START))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("COMPLETED to EXECUTING by START");
        assertThatThrownBy(() -> StepState.REQUESTED.to(StepState.EXECUTING, Cause.RECORD))
                .isInstanceOf(IllegalStateException.class);
    }
}
