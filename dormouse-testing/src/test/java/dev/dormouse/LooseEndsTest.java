package dev.dormouse;

import static dev.dormouse.SimulatedDormouse.play;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.dormouse.replay.LooseEnds;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Branches and steps that a workflow has begun and forgotten are logged when its run closes. */
class LooseEndsTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(LooseEnds.class);
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
        play(sim -> {
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
}
