package dev.dormouse.examples.timers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.RetryPolicy;
import dev.dormouse.schedule.CatchUp;
import dev.dormouse.schedule.Cron;
import dev.dormouse.schedule.Overlap;
import dev.dormouse.schedule.Schedule;
import dev.dormouse.testing.TestDormouse;
import dev.dormouse.timer.TimerId;
import dev.dormouse.timer.TimerList;
import dev.dormouse.timer.TimerListOptions;
import dev.dormouse.timer.TimerOptions;
import dev.dormouse.timer.TimerStatus;
import dev.dormouse.timer.Timers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code that docs/timers.md quotes. */
class TimersGuideTest {
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final Sessions sessions = new Sessions();

    @TempDir
    Path directory;

    /** The input of a timer. */
    record Session(String user) {}

    /** The store of sessions. */
    private final class Sessions {
        void expire(Session session) {
            log.add("expired " + session.user());
        }
    }

    @Test
    void timerFiresOrIsCancelled() {
        try (TestDormouse test = TestDormouse.open(builder -> builder)) {
            Dormouse dormouse = test.dormouse();
            Session session = new Session("ada");
            Instant later = test.now().plus(Duration.ofHours(1));

            Timers timers = dormouse.timers();
            timers.handle("expire-session", Session.class, s -> sessions.expire(s));
            TimerId id = timers.after(Duration.ofMinutes(30), "expire-session", session);
            timers.reschedule(id, later);

            test.advance(Duration.ofMinutes(45));
            assertThat(log).isEmpty();
            boolean neverFires = timers.cancel(id);
            assertThat(neverFires).isTrue();
            test.advance(Duration.ofHours(1));
            assertThat(log).isEmpty();
        }
    }

    @Test
    void timerHasAnIdRetriesAndATimeout() {
        try (TestDormouse test = TestDormouse.open(builder -> builder)) {
            Timers timers = test.dormouse().timers();
            String order = "7";

            timers.handle("remind", String.class, (text, firing) -> {
                log.add(text + ", attempt " + firing.attempt() + " of " + firing.id());
                if (firing.attempt() == 1) {
                    throw new IllegalStateException("the mail server is away");
                }
            });

            TimerOptions once = TimerOptions.DEFAULT
                    .withId("remind-" + order)
                    .withRetry(RetryPolicy.DEFAULT.withMaxAttempts(5))
                    .withTimeout(Duration.ofSeconds(20));
            timers.after(Duration.ofDays(3), "remind", once, "pay order " + order);
            timers.after(Duration.ofDays(9), "remind", once, "is not scheduled: it is the same timer");

            test.advance(Duration.ofDays(10));
            assertThat(log).containsExactly("pay order 7, attempt 1 of remind-7", "pay order 7, attempt 2 of remind-7");
            TimerList failed = timers.list(TimerListOptions.of("remind").withStatuses(TimerStatus.FAILED));
            assertThat(failed.timers()).isEmpty();
        }
    }

    @Test
    void timerIsPartOfTransactions() throws SQLException {
        String url = "jdbc:sqlite:" + directory.resolve("app.db");
        try (Dormouse dormouse = Dormouse.builder()
                .store("sqlite:" + directory.resolve("app.db"))
                .open()) {
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement()) {
                statement.execute("create table cart (id text, expired int)");
            }
            Timers timers = dormouse.timers();

            timers.handleInTransaction("expire-cart", String.class, (cart, connection) -> {
                try (PreparedStatement update =
                        connection.prepareStatement("update cart set expired = 1 where id = ?")) {
                    update.setString(1, cart);
                    update.executeUpdate();
                }
            });

            TimerId id = schedule(dormouse, url);
            Awaitility.await().until(() -> timers.get(id).orElseThrow().status() == TimerStatus.FIRED);
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("select count(*) from cart where expired = 1")) {
                assertThat(rows.getInt(1)).isEqualTo(1);
            }
        }
    }

    private static TimerId schedule(Dormouse dormouse, String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            try (Statement insert = connection.createStatement()) {
                insert.executeUpdate("insert into cart values ('c1', 0)");
            }
            TimerId id = dormouse.within(connection).timers().after(Duration.ofMillis(50), "expire-cart", "c1");
            connection.commit();
            return id;
        }
    }

    @Test
    void schedulesStartThingsAgainAndAgain() {
        try (TestDormouse test =
                TestDormouse.open(builder -> builder.workflow("report", String.class, String.class, (ctx, what) -> {
                    ctx.step("write", () -> log.add("report on " + what));
                    return what;
                }))) {
            Dormouse dormouse = test.dormouse();
            dormouse.timers().handle("cleanup", String.class, what -> log.add("cleaned " + what));

            dormouse.schedules()
                    .put(
                            "nightly",
                            Schedule.of(Cron.of("0 3 * * *").inZone(ZoneId.of("Europe/Berlin")))
                                    .withWorkflow("report", "sales")
                                    .withOverlap(Overlap.SKIP)
                                    .withCatchUp(CatchUp.one()));
            dormouse.schedules()
                    .put(
                            "cleanup",
                            Schedule.of(Cron.of("@hourly").inZone(ZoneId.of("UTC")))
                                    .withTimer("cleanup", "files"));

            test.advance(Duration.ofDays(1));
            assertThat(log).hasSize(25).contains("report on sales");

            dormouse.schedules().pause("nightly", "the database moves");
            dormouse.schedules().trigger("nightly");
            dormouse.schedules().resume("nightly");
            dormouse.schedules().delete("cleanup");

            test.advance(Duration.ofMinutes(1));
            assertThat(log).hasSize(26);
        }
    }
}
