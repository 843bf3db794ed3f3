package dev.dormouse.chaos.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.error.DormouseException;
import dev.dormouse.timer.TimerId;
import dev.dormouse.timer.TimerOptions;
import dev.dormouse.timer.TimerScheduler;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Timers in the user's transactions. */
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

    private Duration untilLogged(int lines) {
        long begin = System.nanoTime();
        Awaitility.await()
                .atMost(Duration.ofSeconds(15))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> log.size() >= lines);
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    /** An operation that a transaction cannot do is reported, not lost silently. */
    @Test
    void endedTimerIsNotReplacedInATransaction() {
        TimerOptions again = TimerOptions.DEFAULT.withId("t").withIdReuse(IdReuse.START_NEW);
        dormouse.timers().after(HOUR, "h", again, "first");
        TimerScheduler timers = dormouse.within(connection).timers();
        assertThat(timers.cancel(new TimerId("t"))).isTrue();
        assertThatThrownBy(() -> timers.after(HOUR, "h", again, "second"))
                .isInstanceOf(DormouseException.class)
                .hasMessageContaining("a transaction cannot replace it");
    }

    @Test
    void timerFiredNowInATransactionFires() throws Exception {
        TimerId id = dormouse.timers().after(HOUR, "h", "x");
        assertThat(dormouse.within(connection).timers().fireNow(id)).isTrue();
        connection.commit();
        assertThat(untilLogged(1)).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void timerThatIsSetToThePastInATransactionFiresAtOnce() throws Exception {
        TimerId id = dormouse.timers().after(HOUR, "h", "x");
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
                dormouse.within(its).timers().after(Duration.ofMillis(20), "chain", left - 1);
            }
        });
        dormouse.timers().after(Duration.ZERO, "chain", 3);
        assertThat(untilLogged(4)).isLessThan(Duration.ofSeconds(5));
        assertThat(log).containsExactly("chain 3", "chain 2", "chain 1", "chain 0");
    }
}
