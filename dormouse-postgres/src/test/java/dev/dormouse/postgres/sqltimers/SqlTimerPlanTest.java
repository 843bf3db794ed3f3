package dev.dormouse.postgres.sqltimers;

import static dev.dormouse.postgres.sqltimers.TimersDatabase.ADMIN;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.WEB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many timers that are far in the future, and many due ones of a role that no node serves, do not slow down others. */
@Timeout(300)
class SqlTimerPlanTest {
    private static final int OTHERS = Integer.getInteger("sqltimers.others", 200_000);
    private static final Pattern BUFFERS = Pattern.compile("Buffers: shared hit=(\\d+)(?: read=(\\d+))?");

    private static TimersDatabase database;

    @BeforeAll
    static void fill() {
        database = TimersDatabase.create();
        fill(database, OTHERS);
    }

    static void fill(TimersDatabase database, int others) {
        database.execute(ADMIN, "create extension if not exists pg_stat_statements");
        database.execute(ADMIN, """
                set session_replication_role = replica;
                insert into timers.timers (fire_at, action, scheduled_by)
                select now() + interval '1 day' + g * interval '1 s', 'select 1', 'web' from generate_series(1, OTHERS) g;
                insert into timers.timers (fire_at, action, scheduled_by)
                select now() - interval '1 day', 'select 1', 'nobody' from generate_series(1, OTHERS / 4) g;
                insert into timers.timers (fire_at, action, scheduled_by)
                select 'infinity', 'select 1', 'web' from generate_series(1, OTHERS / 4) g;
                """.replace("OTHERS", Integer.toString(others)));
        database.execute(ADMIN, "vacuum analyze timers.timers");
    }

    private static String explained(String role, String sql) throws SQLException {
        try (Connection connection = database.connect(ADMIN);
                Statement statement = connection.createStatement()) {
            statement.execute("set role " + role + "; " + sql + "; " + sql); // so that it knows the catalog
            statement.execute("reset role; load 'auto_explain'; set auto_explain.log_min_duration = 0; "
                    + "set auto_explain.log_nested_statements = on; set auto_explain.log_analyze = on; "
                    + "set auto_explain.log_buffers = on; set auto_explain.log_timing = off; "
                    + "set auto_explain.log_level = notice; set role " + role);
            statement.clearWarnings();
            statement.execute(sql);
            StringBuilder told = new StringBuilder();
            for (SQLWarning warning = statement.getWarnings(); warning != null; warning = warning.getNextWarning()) {
                told.append(warning.getMessage()).append('\n');
            }
            return told.toString();
        }
    }

    private static long pages(String plans) {
        long most = 0;
        for (Matcher line = BUFFERS.matcher(plans); line.find(); ) {
            long read = line.group(2) == null ? 0 : Long.parseLong(line.group(2));
            most = Math.max(most, Long.parseLong(line.group(1)) + read);
        }
        return most;
    }

    @Test
    void dueTimersAreFoundByTheIndexAlone() throws SQLException {
        String plans = explained("web", "select * from timers._run_batch(500, 0, 1000)");
        assertThat(plans)
                .containsPattern("Index Scan using timers_pending_idx")
                .containsPattern("Index Cond: \\(\\(scheduled_by = .*fire_at >= .*fire_at <= statement_timestamp\\(\\)")
                .doesNotContain("Seq Scan on timers")
                .doesNotContain("Rows Removed by Filter");
        assertThat(pages(plans)).isLessThan(60);
    }

    @Test
    void readingAheadTouchesAFewPages() throws SQLException {
        String plans = explained("engine", "select count(*) from timers._look('{web,eve}', '{0,0}', '{mail}', '{0}')");
        assertThat(plans)
                .contains("timers_pending_idx")
                .contains("timers_apart_idx")
                .contains("timers_handler_idx")
                .doesNotContain("Seq Scan on timers");
        assertThat(pages(plans)).isLessThan(250);
    }

    @Test
    void runningAloneAndClaimingUseTheirIndexes() throws SQLException {
        assertThat(explained("engine", "select * from timers._due_apart('web', 10)"))
                .contains("timers_apart_idx")
                .doesNotContain("Seq Scan on timers");
        assertThat(explained("engine", "select * from timers._claim('{mail}', 10, 1, 1000)"))
                .contains("timers_handler_idx")
                .doesNotContain("Seq Scan on timers");
    }

    @Test
    void pruningReadsEndedTimersOnly() throws SQLException {
        String plans = explained("engine", "select timers.prune('1 day', 100)");
        assertThat(plans)
                .containsPattern("Index Scan using timers_ended_idx")
                .containsPattern("Index Cond: \\(COALESCE\\(fired_at, created_at\\) <")
                .doesNotContain("Seq Scan on timers");
        assertThat(pages(plans)).isLessThan(60);
    }

    @Test
    void idleNodeAsksNextToNothingAndHearsOfATimerAllTheSame() {
        Duration idle = Duration.ofSeconds(Integer.getInteger("sqltimers.idle", 6));
        try (SqlTimerNode node = database.node().open()) {
            long first = database.schedule(WEB, "0", "select 1");
            database.awaitStatus(first, 1);
            await().pollDelay(Duration.ofSeconds(3)).until(() -> true); // until it has looked that nothing is left
            long before = statements();
            await().pollDelay(idle).atMost(idle.plusSeconds(10)).until(() -> true);
            long asked = statements() - before;
            System.out.println("statements of an idle node in " + idle.toSeconds() + " s: " + asked);
            assertThat(asked).isLessThanOrEqualTo(10);
            long id = database.schedule(WEB, "1 s", "select 1");
            database.awaitStatus(id, 1);
            System.out.println("late by "
                    + database.query(ADMIN, "select fired_at - fire_at from timers.timers where id = " + id));
        }
    }

    private static long statements() {
        return Long.parseLong(database.query(ADMIN, """
                select coalesce(sum(calls), 0) from pg_stat_statements s join pg_database d on d.oid = s.dbid
                where d.datname = current_database() and s.userid <> 'postgres'::regrole
                """));
    }
}
