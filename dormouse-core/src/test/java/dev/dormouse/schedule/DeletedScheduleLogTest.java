package dev.dormouse.schedule;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.dormouse.Dormouse;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Runs of a deleted schedule, which end without a log line. */
class DeletedScheduleLogTest {
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.dormouse");
    private Level before;

    @BeforeEach
    void listen() {
        before = logger.getLevel();
        logger.setLevel(Level.INFO);
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
        logger.setLevel(before);
    }

    @Test
    void runsThatOutliveTheirScheduleEndSilently() {
        simulate(sim -> {
            log.list.clear();
            Dormouse dormouse = sim.open(node -> node.workflow("job", String.class, String.class, (ctx, text) -> {
                ctx.sleep(Duration.ofMinutes(10));
                ctx.step("end", () -> sim.log("end"));
                return text;
            }));
            Schedule often = Schedule.of(new Interval(Duration.ofSeconds(10), sim.now()))
                    .withWorkflow("job", "x")
                    .withOverlap(Overlap.ALLOW_ALL);
            dormouse.schedules().create("s", often);
            sim.advance(Duration.ofMinutes(5));
            dormouse.schedules().delete("s");
            sim.advance(Duration.ofMinutes(20));
            assertThat(sim.count("end")).isGreaterThan(20);
            assertThat(log.list).isEmpty();
        });
    }
}
