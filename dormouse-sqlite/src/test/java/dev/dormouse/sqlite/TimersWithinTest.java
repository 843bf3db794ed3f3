package dev.dormouse.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.TimerId;
import dev.dormouse.TimerOptions;
import dev.dormouse.TimerScheduler;
import dev.dormouse.TimerStatus;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Timers in transactions of the user's. */
class TimersWithinTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    Path directory;

    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private Dormouse dormouse;
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        Path file = directory.resolve("app.db");
        dormouse = Dormouse.builder().store("sqlite:" + file).open();
        dormouse.timers().handle("h", String.class, text -> log.add(text));
        connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        connection.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        dormouse.close();
    }

    private Duration untilLogged(int lines) throws InterruptedException {
        long begin = System.nanoTime();
        while (log.size() < lines
                && System.nanoTime() - begin < Duration.ofSeconds(15).toNanos()) {
            Thread.sleep(5);
        }
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    @Test
    void endedTimerIsScheduledAgain() throws Exception {
        TimerOptions again = TimerOptions.DEFAULT.id("t").idReuse(IdReuse.START_NEW);
        dormouse.timers().in(again, Duration.ZERO, "h", "first");
        untilLogged(1);
        TimerId id = dormouse.within(connection).timers().in(again, Duration.ofMillis(50), "h", "second");
        connection.commit();
        untilLogged(2);
        assertThat(log).as(id + " was scheduled twice, as its options say").containsExactly("first", "second");
    }

    @Test
    void timerIsReplacedInOneTransaction() throws Exception {
        TimerOptions again = TimerOptions.DEFAULT.id("t").idReuse(IdReuse.START_NEW);
        dormouse.timers().in(again, HOUR, "h", "first");
        TimerScheduler timers = dormouse.within(connection).timers();
        assertThat(timers.cancel(new TimerId("t"))).isTrue();
        timers.in(again, HOUR, "h", "second");
        connection.commit();
        assertThat(dormouse.timers().get(new TimerId("t")).orElseThrow().status())
                .as("the second")
                .isEqualTo(TimerStatus.PENDING);
    }

    @Test
    void timerThatIsToldToFireNowInATransactionDoesSo() throws Exception {
        TimerId id = dormouse.timers().in(HOUR, "h", "x");
        Thread.sleep(1_000);
        assertThat(dormouse.within(connection).timers().fireNow(id)).isTrue();
        connection.commit();
        assertThat(untilLogged(1)).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void timerThatIsSetToThePastInATransactionFiresAtOnce() throws Exception {
        TimerId id = dormouse.timers().in(HOUR, "h", "x");
        Thread.sleep(1_000);
        assertThat(dormouse.within(connection)
                        .timers()
                        .reschedule(id, Instant.now().minusSeconds(1)))
                .isTrue();
        connection.commit();
        assertThat(untilLogged(1)).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void handlerSchedulesTheNextInItsTransaction() throws Exception {
        dormouse.timers().handleInTransaction("chain", Integer.class, (left, its) -> {
            log.add("chain " + left);
            if (left > 0) {
                dormouse.within(its).timers().in(Duration.ofMillis(20), "chain", left - 1);
            }
        });
        dormouse.timers().in(Duration.ZERO, "chain", 3);
        assertThat(untilLogged(4)).isLessThan(Duration.ofSeconds(5));
        assertThat(log).containsExactly("chain 3", "chain 2", "chain 1", "chain 0");
    }
}
