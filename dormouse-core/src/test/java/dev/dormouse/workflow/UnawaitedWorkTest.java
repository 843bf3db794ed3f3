package dev.dormouse.workflow;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.CancelledException;
import dev.dormouse.internal.replay.UnawaitedWork;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Log lines about coroutines and steps that are still open when their run closes. */
class UnawaitedWorkTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(UnawaitedWork.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
    }

    private List<String> lines() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private void run(WorkflowFunction<String, String> code) {
        simulate(sim -> {
            log.list.clear(); // of the seed before
            Dormouse dormouse = sim.open(node -> node.workflow("w", String.class, String.class, code));
            sim.result(dormouse.start("w", "id", String.class, "x"));
        });
    }

    @Test
    void failureOfABranchThatNoCodeAwaitsIsLogged() {
        run((ctx, text) -> {
            ctx.async(() -> {
                throw new IllegalStateException("lost");
            });
            ctx.sleep(Duration.ofMinutes(1));
            return "";
        });
        assertThat(lines()).singleElement().asString().contains("async branch").contains("'id'");
        assertThat(log.list.get(0).getThrowableProxy().getMessage()).isEqualTo("lost");
    }

    @Test
    void failureOfABranchThatTheCodeHasSeenIsNotLogged() {
        run((ctx, text) -> {
            Promise<String> branch = ctx.async(() -> {
                throw new IllegalStateException("seen");
            });
            try {
                return branch.get();
            } catch (IllegalStateException expected) {
                return "";
            }
        });
        assertThat(lines()).isEmpty();
    }

    @Test
    void stepOfABranchThatNeverBeginsIsLoggedWithItsName() {
        boolean[] ran = {false};
        run((ctx, text) -> {
            ctx.async(() -> {
                ctx.step("mail", () -> {
                    ran[0] = true;
                });
                return "";
            });
            return "";
        });
        assertThat(ran[0]).isFalse();
        assertThat(lines()).singleElement().asString().contains("[mail]").contains("never run");
    }

    @Test
    void branchesThatAreCancelledOrAwaitedAreNotLogged() {
        run((ctx, text) -> {
            Promise<String> race = ctx.async(() -> {
                ctx.sleep(Duration.ofDays(1));
                return "";
            });
            Promise<String> step = ctx.async(() -> {
                ctx.step("work", () -> {});
                return "";
            });
            step.get();
            race.cancel();
            return "";
        });
        assertThat(lines()).isEmpty();
    }

    private static Promise<String> failsAfter(WorkflowContext ctx, Duration time) {
        return ctx.async(() -> {
            ctx.sleep(time);
            throw new IllegalStateException("after " + time);
        });
    }

    @Test
    void failuresOfBranchesThatTheCodeAwaitsTogetherAreNotLogged() {
        run((ctx, text) -> {
            Promise<String> one = failsAfter(ctx, Duration.ofSeconds(1));
            Promise<String> two = failsAfter(ctx, Duration.ofSeconds(2));
            try {
                Promise.allOf(one, two).get();
            } catch (IllegalStateException expected) {
                // of the first
            }
            return "";
        });
        assertThat(lines()).isEmpty();
    }

    @Test
    void failureOfABranchThatHasLostARaceIsNotLogged() {
        run((ctx, text) -> {
            Promise<String> won = ctx.async(() -> "won");
            Promise<String> lost = failsAfter(ctx, Duration.ofSeconds(1));
            Promise.anyOf(won, lost).get();
            ctx.sleep(Duration.ofMinutes(1));
            return "";
        });
        assertThat(lines()).isEmpty();
    }

    @Test
    void failureOfABranchThatTheCodeAwaitedInVainIsNotLogged() {
        run((ctx, text) -> {
            Promise<String> late = failsAfter(ctx, Duration.ofMinutes(2));
            boolean isInTime = late.await(Duration.ofMinutes(1));
            ctx.sleep(Duration.ofMinutes(5));
            return String.valueOf(isInTime);
        });
        assertThat(lines()).isEmpty();
    }

    @Test
    void failureOfABranchThatWasCancelledIsNotLogged() {
        run((ctx, text) -> {
            Promise<String> branch = ctx.async(() -> {
                try {
                    ctx.sleep(Duration.ofDays(1));
                    return "";
                } catch (CancelledException cancelled) {
                    throw new IllegalStateException("not what was asked for", cancelled);
                }
            });
            ctx.sleep(Duration.ofSeconds(1));
            branch.cancel();
            ctx.sleep(Duration.ofSeconds(1));
            return "";
        });
        assertThat(lines()).isEmpty();
    }

    /** The failure of the run has its own log line. */
    @Test
    void failureOfAnotherBranchOfARunThatFailsIsNotLogged() {
        simulate(sim -> {
            log.list.clear();
            Dormouse dormouse = sim.open(node -> node.workflow("w", String.class, String.class, (ctx, text) -> {
                Promise<String> one = failsAfter(ctx, Duration.ofSeconds(1));
                Promise<String> two = failsAfter(ctx, Duration.ofMillis(500));
                return one.get() + two.get();
            }));
            WorkflowHandle<String> run = dormouse.start("w", "id", String.class, "x");
            sim.advance(Duration.ofMinutes(1));
            assertThat(run.describe().status().isClosed()).isTrue();
        });
        assertThat(lines()).isEmpty();
    }

    @Test
    void mistakeOfManyRunsDoesNotFillTheLog() {
        simulate(sim -> {
            log.list.clear();
            Dormouse dormouse = sim.open(node -> node.workflow("w", String.class, String.class, (ctx, text) -> {
                for (int i = 0; i < 10; i++) {
                    failsAfter(ctx, Duration.ofMillis(i));
                }
                ctx.sleep(Duration.ofSeconds(1));
                ctx.async(() -> ctx.step("forgotten", String.class, () -> ""));
                return "";
            }));
            for (int i = 0; i < 30; i++) {
                dormouse.start("w", "id-" + i, String.class, "x");
            }
            sim.advance(Duration.ofSeconds(30));
            assertThat(lines()).hasSize(8);
            assertThat(lines().get(0)).contains("10 async branches");
        });
    }
}
