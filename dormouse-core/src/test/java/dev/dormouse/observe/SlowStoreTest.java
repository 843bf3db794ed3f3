package dev.dormouse.observe;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.inspect.StoreOutage;
import dev.dormouse.inspect.StoreTrouble;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.testing.sim.FaultProfile;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Log lines about a store whose calls hang instead of failing. */
class SlowStoreTest {
    private static final FaultProfile HANGS = FaultProfile.CALM.withStalls(1).lastingUpTo(Duration.ofHours(1));

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

    private List<String> lines() {
        return log.list.stream()
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }

    private static DormouseBuilder steps(DormouseBuilder node) {
        return SimulatedDormouse.echo(node).workflow("w", String.class, String.class, (ctx, input) -> {
            for (int i = 0; i < 1_000; i++) {
                ctx.step("s" + i, String.class, () -> "x");
                ctx.sleep(Duration.ofSeconds(1));
            }
            return "done";
        });
    }

    private Dormouse open(SimulatedDormouse sim) {
        log.list.clear(); // of the seed before
        Dormouse dormouse = sim.open(SlowStoreTest::steps);
        for (int i = 0; i < 10; i++) {
            dormouse.start("w", "w-" + i, String.class, "x");
        }
        sim.advance(Duration.ofSeconds(10));
        assertThat(lines()).isEmpty();
        return dormouse;
    }

    @Test
    void unansweredCallsAreLoggedAfterSomeSecondsAndWhenTheyEnd() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            sim.behave(dormouse, HANGS.lastingUpTo(Duration.ofMinutes(2)));
            sim.advance(Duration.ofSeconds(4));
            assertThat(lines()).isEmpty();
            sim.advance(Duration.ofSeconds(12));
            assertThat(lines())
                    .singleElement()
                    .asString()
                    .startsWith("WARN The store is slow or locked. Nothing is lost")
                    .contains("has not returned for 5 s");
            assertThat(dormouse.outages())
                    .singleElement()
                    .satisfies(outage -> assertThat(outage.trouble()).isEqualTo(StoreTrouble.BLOCKED));
            sim.behave(dormouse, FaultProfile.CALM); // calls that hang already are answered within four minutes
            sim.advance(Duration.ofMinutes(6));
            assertThat(dormouse.outages()).isEmpty();
            assertThat(lines()).hasSize(2);
            assertThat(lines().get(1)).startsWith("INFO The store answers in time again, after ");
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void callThatHangsIsReportedAsAnOutage() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            sim.behave(dormouse, HANGS);
            sim.advance(Duration.ofSeconds(8));
            assertThat(dormouse.outages()).extracting(StoreOutage::trouble).containsExactly(StoreTrouble.BLOCKED);
        });
    }

    @Test
    void callsThatTakeLessThanSomeSecondsAreNoOutage() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            sim.behave(dormouse, FaultProfile.CALM.withLatency(Duration.ofSeconds(2)));
            sim.advance(Duration.ofMinutes(3));
            assertThat(lines()).filteredOn(line -> line.contains("The store ")).isEmpty();
            assertThat(dormouse.outages()).isEmpty();
        });
    }
}
