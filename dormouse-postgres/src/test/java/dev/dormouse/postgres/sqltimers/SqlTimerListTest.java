package dev.dormouse.postgres.sqltimers;

import static dev.dormouse.postgres.sqltimers.TimersDatabase.ADMIN;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.EVE;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.NODE;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.WEB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.Dormouse;
import dev.dormouse.error.DormouseException;
import dev.dormouse.inspect.Count;
import dev.dormouse.inspect.SqlTimer;
import dev.dormouse.inspect.SqlTimerId;
import dev.dormouse.inspect.Statistics;
import dev.dormouse.inspect.Statistics.DueKind;
import dev.dormouse.inspect.UpcomingOptions;
import dev.dormouse.timer.SqlTimers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** SQL timers in the lists of upcoming work, and the operations of an operator on them. */
@Timeout(120)
class SqlTimerListTest {
    private final TimersDatabase database = TimersDatabase.create();
    private Dormouse dormouse;

    @BeforeEach
    void open() {
        dormouse = open(NODE);
    }

    private Dormouse open(String role) {
        database.execute(ADMIN, "create schema dormouse_" + role + " authorization " + role);
        return Dormouse.builder()
                .store(database.url(role))
                .schema("dormouse_" + role)
                .open();
    }

    @AfterEach
    void close() {
        dormouse.close();
    }

    private long handler(String in, String name) {
        return Long.parseLong(database.query(
                NODE, "select timers.schedule_handler(now() + '" + in + "'::interval, '" + name + "', '{\"a\": 1}')"));
    }

    private List<Statistics.Due> all(UpcomingOptions options) {
        List<Statistics.Due> found = new ArrayList<>();
        Optional<String> next = Optional.empty();
        do {
            Statistics.Upcoming page =
                    dormouse.statistics().upcoming(next.map(options::withPage).orElse(options));
            assertThat(page.items()).hasSizeLessThanOrEqualTo(options.limit());
            found.addAll(page.items());
            next = page.next();
        } while (next.isPresent());
        return found;
    }

    private static SqlTimerId id(long id) {
        return new SqlTimerId(0, id);
    }

    private SqlTimers timers() {
        return dormouse.sqlTimers();
    }

    @Test
    void theyAreListedAmongAllThatIsDue() {
        dormouse.timers().after(Duration.ofMinutes(30), "ring", "x");
        long second = database.schedule(EVE, "20 minutes", "select 'eve'");
        long first = handler("10 minutes", "mail");
        long third = database.schedule(WEB, "40 minutes", "select 'web'");
        long apart = database.schedule(WEB, "50 minutes", "select 'apart'");
        database.execute(NODE, "update timers.timers set apart = true where id = " + apart);
        long tried = handler("1 minute", "mail");
        database.execute(
                NODE,
                "update timers.timers set retry_at = now() + interval '1 hour', attempts = 3 where id = " + tried);
        database.query(WEB, "select timers.schedule_at('infinity', 'select 1')");
        database.query(WEB, "select timers.schedule_at('294000-01-01', 'select 1')");
        database.query(WEB, "select timers.schedule_at(now() + interval '1 hour', 'select 1', 7)");
        long held = handler("2 minutes", "mail");
        database.execute(NODE, "update timers.timers set lease = 1, retry_at = now() where id = " + held);
        long gone = database.schedule(WEB, "3 minutes", "select 1");
        database.query(WEB, "select timers.cancel(" + gone + ")");
        long ancient = Long.parseLong(
                database.query(WEB, "select timers.schedule_at('0044-03-15 12:00:00+00 BC', 'select 1')"));
        for (int limit : new int[] {1, 2, 3, 50}) {
            List<Statistics.Due> found = all(UpcomingOptions.ALL.withLimit(limit));
            assertThat(found).extracting(Statistics.Due::kind).containsOnly(DueKind.SQL, DueKind.TIMER);
            assertThat(found)
                    .filteredOn(due -> due.kind() == DueKind.SQL)
                    .extracting(Statistics.Due::id)
                    .startsWith("" + ancient, "" + first, "" + second, "" + third, "" + apart)
                    .containsOnlyOnce("" + tried, "7:" + (tried + 3))
                    .hasSize(7);
            assertThat(found).extracting(Statistics.Due::kind).element(3).isEqualTo(DueKind.TIMER);
            assertThat(found).isSortedAccordingTo((one, other) -> one.fireAt().compareTo(other.fireAt()));
        }
        List<Statistics.Due> found = all(UpcomingOptions.ALL.withKinds(DueKind.SQL));
        assertThat(found)
                .extracting(Statistics.Due::name)
                .startsWith("select 1", "mail", "select 'eve'", "select 'web'");
        assertThat(found).extracting(Statistics.Due::overdue).startsWith(true, false);
        assertThat(found).allSatisfy(due -> assertThat(due.run()).isEmpty());
        assertThat(all(UpcomingOptions.ALL.withKinds(DueKind.TIMER))).hasSize(1);
        assertThat(dormouse.statistics().overview().overdue()).isEqualTo(Count.exactly(1));
        assertThat(dormouse.statistics().histogram(Statistics.Span.DAY).total()).isEqualTo(Count.exactly(7));
    }

    @Test
    void manyAtOneInstantAreListedOnceEach() {
        database.execute(
                WEB, "select timers.schedule_at('2040-01-01', 'select 1', g % 3 - 1) from generate_series(1, 3000) g");
        assertThat(all(UpcomingOptions.ALL.withLimit(70)))
                .extracting(Statistics.Due::id)
                .doesNotHaveDuplicates()
                .hasSize(3000);
    }

    @Test
    void manyAreEstimated() {
        database.execute(ADMIN, """
                set session_replication_role = replica;
                insert into timers.timers (fire_at, action, scheduled_by)
                select now() + g * interval '4 s', 'select 1', 'web' from generate_series(1, 20000) g;
                """);
        Statistics.Histogram day = dormouse.statistics().histogram(Statistics.Span.DAY);
        assertThat((double) day.total().count()).isBetween(18_000.0, 22_000.0);
        assertThat(day.total().exact()).isFalse();
        Statistics.Histogram all = dormouse.statistics().histogram(Statistics.Span.ALL);
        assertThat(Duration.between(all.from(), all.to())).isBetween(Duration.ofHours(21), Duration.ofHours(23));
    }

    @Test
    void oneIsShownWithAllThatIsKnown() {
        long action = database.schedule(WEB, "1 hour", "select 'x'", 500);
        SqlTimer timer = timers().get(id(action)).orElseThrow();
        assertThat(timer.status()).isEqualTo(SqlTimer.Status.PENDING);
        assertThat(timer.scheduledBy()).isEqualTo("web");
        assertThat(timer.action()).contains("select 'x'");
        assertThat(timer.timeout()).hasMillis(500);
        assertThat(timer.fireAt().orElseThrow()).isAfter(dormouse.now().plusSeconds(3_500));
        SqlTimer handled = timers().get(id(handler("1 hour", "mail"))).orElseThrow();
        assertThat(handled.handler()).contains("mail");
        assertThat(handled.payload()).contains("{\"a\": 1}");
        assertThat(handled.action()).isEmpty();
        long failing = database.schedule(WEB, "0", "select 1/0");
        long never = Long.parseLong(database.query(WEB, "select timers.schedule_at('infinity', 'select 1')"));
        try (SqlTimerNode node = database.node().open()) {
            database.awaitStatus(failing, 2);
        }
        SqlTimer failed = timers().get(id(failing)).orElseThrow();
        assertThat(failed.status()).isEqualTo(SqlTimer.Status.FAILED);
        assertThat(failed.error()).contains("division by zero");
        assertThat(failed.sqlState()).contains("22012");
        assertThat(timers().get(id(never)).orElseThrow().fireAt()).isEmpty();
        assertThat(timers().get(id(999_999))).isEmpty();
        assertThat(timers().get(new SqlTimerId(7, action))).isEmpty();
    }

    @Test
    void oneIsMovedFiredAndCancelled() {
        long moved = database.schedule(WEB, "1 hour", "insert into ledger (n) values (1)");
        long fired = database.schedule(WEB, "1 hour", "insert into ledger (n) values (2)");
        long cancelled = database.schedule(WEB, "2 s", "insert into ledger (n) values (3)");
        assertThat(timers().cancel(id(cancelled))).isTrue();
        assertThat(timers().cancel(id(cancelled))).isFalse();
        Instant soon = dormouse.now().plusSeconds(1);
        try (SqlTimerNode node = database.node().open()) {
            assertThat(timers().reschedule(id(moved), soon)).isTrue();
            assertThat(timers().fireNow(id(fired))).isTrue();
            database.awaitStatus(moved, 1);
            database.awaitStatus(fired, 1);
        }
        assertThat(database.rows(ADMIN, "select n from ledger order by n")).containsExactly("1", "2");
        assertThat(database.column("fired_at >= fire_at", moved)).isEqualTo("t");
        assertThat(timers().get(id(moved)).orElseThrow().fireAt().orElseThrow()).isBetween(soon, soon.plusMillis(1));
        assertThat(timers().reschedule(id(moved), soon)).isFalse();
        assertThat(timers().fireNow(id(999_999))).isFalse();
    }

    @Test
    void nextAttemptOfAHandlerIsMovedAndItsInstantStays() {
        long tried = handler("-1 minute", "mail");
        database.execute(NODE, "update timers.timers set retry_at = now() + interval '1 hour' where id = " + tried);
        Instant later = Instant.parse("2040-01-01T00:00:00Z");
        assertThat(timers().reschedule(id(tried), later)).isTrue();
        assertThat(timers().get(id(tried)).orElseThrow().fireAt()).contains(later);
        assertThat(database.column("fire_at < now()", tried)).isEqualTo("t");
    }

    @Test
    void firingTimerIsLeftAloneWithoutWaiting() throws SQLException {
        long firing = database.schedule(WEB, "1 hour", "select 1");
        long leased = handler("1 hour", "mail");
        database.execute(NODE, "update timers.timers set lease = 1, retry_at = now() where id = " + leased);
        try (Connection action = database.connect(ADMIN)) {
            action.setAutoCommit(false);
            action.createStatement().execute("select from timers.timers where id = " + firing + " for no key update");
            for (long id : new long[] {firing, leased}) {
                assertThat(timers().cancel(id(id))).isFalse();
                assertThat(timers().fireNow(id(id))).isFalse();
            }
            action.rollback();
        }
        assertThat(timers().cancel(id(firing))).isTrue();
    }

    @Test
    void theyAreForTheOwnerAlone() {
        database.schedule(WEB, "1 hour", "select 'secret'");
        for (String role : List.of(WEB, ADMIN)) {
            try (Dormouse other = open(role)) {
                assertThat(other.statistics().upcoming(UpcomingOptions.ALL).items())
                        .isEmpty();
                assertThat(other.statistics().histogram(Statistics.Span.ALL).total())
                        .isEqualTo(Count.NONE);
                assertThat(other.sqlTimers().get(id(1))).isEmpty();
                assertThat(other.sqlTimers().cancel(id(1))).isFalse();
                assertThat(other.sqlTimers().fireNow(id(1))).isFalse();
            }
        }
        assertThat(all(UpcomingOptions.ALL)).hasSize(1);
    }

    @Test
    void readOnlyStoreChangesNothing() {
        long id = database.schedule(WEB, "1 hour", "select 1");
        try (Dormouse reader = Dormouse.builder()
                .store(database.url(NODE))
                .schema("dormouse_" + NODE)
                .readOnly()
                .open()) {
            assertThat(reader.sqlTimers().get(id(id))).isPresent();
            assertThatThrownBy(() -> reader.sqlTimers().cancel(id(id)))
                    .isInstanceOf(DormouseException.class)
                    .hasMessageContaining("DM2009");
        }
    }

    @Test
    void idsAreReadAsTheyAreWritten() {
        for (SqlTimerId id : List.of(id(42), new SqlTimerId(7, 42), new SqlTimerId(-1, -3))) {
            assertThat(SqlTimerId.parse(id.toString())).isEqualTo(id);
        }
        assertThat(id(42)).hasToString("42");
        assertThat(new SqlTimerId(7, 42)).hasToString("7:42");
        for (String bad : List.of("", "x", "1:2:3", ":1", "1:", "99999999999999999999")) {
            assertThatThrownBy(() -> SqlTimerId.parse(bad)).hasMessageContaining("like 42, or 7:42");
        }
    }
}
