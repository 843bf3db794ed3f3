package dev.dormouse.commit;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The limit of a history's length. */
class HistoryLimitTest {
    private static final int LIMIT = 20;

    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.dormouse.internal.engine");

    @BeforeEach
    void listen() {
        logged.start();
        logger.addAppender(logged);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(logged);
    }

    private static Dormouse open(SimulatedDormouse sim, int limit) {
        return sim.open(node -> SimulatedDormouse.echo(node)
                .historyLimit(limit)
                .workflow("w", Integer.class, String.class, (ctx, steps) -> {
                    for (int i = 0; i < steps; i++) {
                        String name = "s" + i;
                        ctx.step(name, () -> sim.log(name));
                    }
                    return "done";
                }));
    }

    private long warnings() {
        return logged.list.stream()
                .filter(event -> event.getFormattedMessage().contains("'w'"))
                .filter(event -> event.getFormattedMessage().contains("events"))
                .count();
    }

    @Test
    void warningIsLoggedOnceAtFourFifthsOfTheLimit() {
        simulate(sim -> {
            logged.list.clear();
            Dormouse dormouse = open(sim, LIMIT);
            sim.result(dormouse.start("w", "w", String.class, 13)); // 15 events
            assertThat(warnings()).isZero();
            sim.result(dormouse.start("w", "w", StartOptions.DEFAULT.withIdReuse(IdReuse.START_NEW), String.class, 16));
            assertThat(warnings()).isEqualTo(1);
        });
    }

    @Test
    void smallOrOddLimitsAreWarnedOfAtFourFifthsToo() {
        simulate(sim -> {
            logged.list.clear();
            Dormouse dormouse = open(sim, 9);
            sim.result(dormouse.start("w", "w", String.class, 1)); // 3 events, of 9
            assertThat(warnings()).isZero();
            Dormouse other = open(sim, 19);
            sim.result(other.start("w", "w", StartOptions.DEFAULT.withIdReuse(IdReuse.START_NEW), String.class, 9));
            assertThat(warnings()).isZero(); // 11 events of 19 are 58 %
        });
    }

    @Test
    void runIsParkedAtTheLimitAndContinuesWithAHigherOne() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, LIMIT);
            WorkflowHandle<String> handle = dormouse.start("w", "w", String.class, 30);
            sim.awaitStatus(handle, RunStatus.STUCK);
            RunDescription parked = handle.describe();
            assertClear(parked.trouble(), ErrorCode.HISTORY_TOO_LONG);
            assertThat(parked.historyLength()).isBetween(LIMIT - 1, LIMIT);
            int done = sim.log().size();
            sim.advance(Duration.ofHours(3));
            assertThat(sim.log()).hasSize(done);
            sim.assertStillWorks(dormouse);

            Dormouse generous = open(sim, 100);
            assertThat(sim.result(generous.find("w", String.class).orElseThrow()))
                    .isEqualTo("done");
            assertThat(sim.log()).hasSize(30).doesNotHaveDuplicates();
        });
    }

    @Test
    void runIsParkedAtTheLimitEvenWhileItOnlySleeps() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.historyLimit(LIMIT)
                    .workflow("w", Integer.class, String.class, (ctx, input) -> {
                        while (true) {
                            ctx.sleep(Duration.ofMinutes(1));
                        }
                    }));
            WorkflowHandle<String> handle = dormouse.start("w", "w", String.class, 0);
            sim.awaitStatus(handle, RunStatus.STUCK);
            assertClear(handle.describe().trouble(), ErrorCode.HISTORY_TOO_LONG);
            assertThat(handle.describe().historyLength()).isLessThanOrEqualTo(LIMIT + 1);
        });
    }

    @Test
    void runThatEndsExactlyAtTheLimitEnds() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, LIMIT);
            assertThat(sim.result(dormouse.start("w", "w", String.class, LIMIT - 2)))
                    .isEqualTo("done");
        });
    }
}
