package dev.dormouse.observe;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.StoreTrouble;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Log lines about store outages: one at the start, one at the end, and few in between. */
class StoreOutageTest {
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private Level before;

    @BeforeEach
    void listen() {
        before = logger().getLevel();
        logger().setLevel(Level.INFO);
        log.start();
        logger().addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger().detachAppender(log);
        logger().setLevel(before);
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger("dev.dormouse");
    }

    private List<String> lines() {
        return log.list.stream()
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }

    private static DormouseBuilder steps(DormouseBuilder node) {
        return SimulatedDormouse.echo(node).workflow("w", String.class, String.class, (ctx, input) -> {
            for (int i = 0; i < 100; i++) {
                ctx.step("s" + i, String.class, () -> "x");
                ctx.sleep(Duration.ofSeconds(1));
            }
            return "done";
        });
    }

    @Test
    void outageIsLoggedWhenItBeginsAndWithItsLengthWhenItHasEnded() {
        simulate(sim -> {
            log.list.clear();
            Dormouse dormouse = sim.open(StoreOutageTest::steps);
            for (int i = 0; i < 50; i++) {
                dormouse.start("w", "w-" + i, String.class, "x");
            }
            sim.advance(Duration.ofSeconds(10));
            assertThat(lines()).isEmpty();
            sim.outage(Duration.ofSeconds(220));
            sim.advance(Duration.ofSeconds(12));
            assertThat(dormouse.outages()).hasSize(1).allMatch(outage -> outage.trouble() == StoreTrouble.AWAY);
            sim.advance(Duration.ofMinutes(5));
            assertThat(dormouse.outages()).isEmpty();
            assertThat(lines()).hasSize(2);
            assertThat(lines().get(0))
                    .startsWith("WARN The store cannot be reached. Nothing is lost")
                    .contains("[DM2005]");
            assertThat(lines().get(1)).matches("INFO The store can be reached again, after 2[12]\\d\\.\\d+ s\\.");
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void outageDuringWhichOneCommitWaitsIsLoggedOnce() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(StoreOutageTest::steps);
            dormouse.start("w", "w-1", String.class, "x");
            sim.advance(Duration.ofSeconds(10));
            log.list.clear();
            sim.outage(Duration.ofSeconds(220));
            sim.advance(Duration.ofMinutes(5));
            assertThat(lines()).hasSize(2);
            assertThat(lines().get(0)).startsWith("WARN The store cannot be reached.");
            assertThat(lines().get(1)).startsWith("INFO The store can be reached again");
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void storeThatFailsIntermittentlyCausesFewerThanTenLogLinesAMinute() {
        simulate(sim -> {
            log.list.clear();
            Dormouse dormouse = sim.open(StoreOutageTest::steps);
            for (int i = 0; i < 20; i++) {
                dormouse.start("w", "w-" + i, String.class, "x");
            }
            for (int i = 0; i < 40; i++) {
                sim.outage(Duration.ofSeconds(2));
                sim.advance(Duration.ofSeconds(9));
            }
            assertThat(lines().size()).isBetween(1, 12); // in six minutes
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void commitThatIsRefusedRepeatedlyIsLoggedOnceAndDelaysNoOther() {
        simulate(sim -> {
            log.list.clear();
            Dormouse dormouse = sim.open(StoreOutageTest::steps);
            dormouse.start("w", "bad", String.class, "x");
            RunRow bad = sim.store().current(0, "bad").orElseThrow();
            sim.store().failing = commit -> commit.runId().equals(bad.runId()) ? ErrorCode.STORE_FAILED : null;
            sim.advance(Duration.ofSeconds(30));
            sim.assertStillWorks(dormouse);
            assertThat(dormouse.outages()).hasSize(1).allMatch(outage -> outage.trouble() == StoreTrouble.REFUSED);
            sim.advance(Duration.ofMinutes(3));
            assertThat(lines())
                    .filteredOn(line -> line.startsWith("WARN The store answers with an error"))
                    .hasSize(1);
            sim.store().failing = commit -> null;
            sim.advance(Duration.ofSeconds(30));
            assertThat(dormouse.outages()).isEmpty();
            assertThat(lines())
                    .filteredOn(line -> line.startsWith("INFO The store answers without errors again"))
                    .hasSize(1);
        });
    }
}
