package dev.dormouse.postgres.sqltimers;

import static dev.dormouse.postgres.sqltimers.TimersDatabase.ADMIN;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.EVE;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.NODE;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.WEB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several nodes on one database, and connections that die. */
@Timeout(180)
@Tag("once")
class SqlTimerNodesTest {
    private static final String ONCE_EACH = "select count(*) || ' ' || count(distinct n) from ledger";

    private final TimersDatabase database = TimersDatabase.create();

    private void schedule(String role, int count, String spread) {
        database.execute(role, """
                select timers.schedule_in(interval 'SPREAD' * random(), format('insert into ledger (n) values (%s)', g))
                from generate_series(1, COUNT) g
                """.replace("SPREAD", spread).replace("COUNT", Integer.toString(count)));
    }

    @Test
    void nodesShareTheWorkAndFireNothingTwice() {
        database.execute(NODE, "update timers.settings set timers_per_batch = 20");
        schedule(WEB, 3_000, "2 s");
        try (SqlTimerNode one = database.node().open();
                SqlTimerNode other = database.node().open()) {
            schedule(WEB, 2_000, "1 s");
            database.awaitQuery("select count(*) from timers.timers where status = 1", "5000");
        }
        database.awaitQuery("select count(*) from ledger", "5000");
        assertThat(database.query(ADMIN, "select max(c) from (select count(*) c from ledger group by n) x"))
                .isEqualTo("2");
        assertThat(database.query(ADMIN, "select count(*) from ledger where n <= 2000"))
                .isEqualTo("4000");
    }

    @Test
    void anyConnectionMayDieAtAnyTime() {
        try (SqlTimerNode one = database.node().open()) {
            schedule(WEB, 1_000, "3 s");
            for (int i = 0; i < 30; i++) {
                database.execute(ADMIN, """
                        select pg_terminate_backend(pid) from pg_stat_activity
                        where application_name like 'dormouse%' and datname = current_database()
                        order by random() limit 2
                        """);
                database.query(ADMIN, "select pg_sleep(0.1)");
            }
            database.awaitQuery("select count(*) from timers.timers where status = 0", "0");
            String fired = database.query(ADMIN, "select count(*) from timers.timers where status = 1");
            database.awaitQuery(ONCE_EACH, fired + " " + fired);
            assertOthersWereHitThreeTimes();
            long after = database.schedule(EVE, "0", "select 1");
            database.awaitStatus(after, 1);
        }
    }

    /** By chance a few are: they count as actions that kill their sessions. */
    private void assertOthersWereHitThreeTimes() {
        assertThat(database.query(ADMIN, """
                        select count(*) from timers.timers
                        where status <> 1 and error not like '%its session was lost 3 times%'
                        """)).isEqualTo("0");
        assertThat(database.query(ADMIN, "select count(*) > 900 from timers.timers where status = 1"))
                .isEqualTo("t");
    }

    @Test
    void nodeHearsAgainAfterItsListeningConnectionDied() {
        database.execute(NODE, "update timers.settings set safety_sweep_seconds = 0");
        try (SqlTimerNode one = database.node().open()) {
            database.execute(
                    ADMIN,
                    "select pg_terminate_backend(pid) from pg_stat_activity "
                            + "where application_name = 'dormouse timers listen' and datname = current_database()");
            long during = database.schedule(WEB, "0", "select 1");
            database.awaitStatus(during, 1);
            database.awaitQuery(
                    "select count(*) from pg_stat_activity where application_name = 'dormouse timers listen' "
                            + "and datname = current_database()",
                    "1");
            long after = database.schedule(WEB, "100 ms", "select 1");
            database.awaitStatus(after, 1);
        }
    }

    @Test
    void timerOfANodeThatDiedInTheMiddleRunsElsewhere() throws SQLException {
        long id = database.schedule(WEB, "0", "insert into ledger (n) values (1)");
        try (Connection dying = database.connect(WEB);
                Statement statement = dying.createStatement()) {
            dying.setAutoCommit(false);
            statement.execute("select timers._run_batch(10, 0, 1000)"); // and the answer never comes
            try (SqlTimerNode node = database.node().open()) {
                long other = database.schedule(WEB, "0", "insert into ledger (n) values (2)");
                database.awaitStatus(other, 1);
                assertThat(database.status(id)).isZero();
                dying.abort(Runnable::run);
                database.awaitStatus(id, 1);
                assertThat(database.query(ADMIN, ONCE_EACH)).isEqualTo("2 2");
            }
        }
    }

    @Test
    void lockedTimerCausesNoBusyLoop() throws SQLException {
        database.execute(ADMIN, "create extension if not exists pg_stat_statements");
        long id = database.schedule(WEB, "0", "insert into ledger (n) values (1)");
        try (Connection holding = database.connect(ADMIN);
                Statement statement = holding.createStatement()) {
            holding.setAutoCommit(false);
            statement.execute("select * from timers.timers for update");
            SqlTimerNode node = database.node().open();
            long before = statements();
            await().pollDelay(Duration.ofSeconds(5)).until(() -> true);
            long asked = statements() - before;
            System.out.println("statements in 5 s while a due timer is locked: " + asked);
            assertThat(asked).isLessThan(20);
            holding.commit();
            database.awaitStatus(id, 1);
            node.close();
        }
    }

    private long statements() {
        return Long.parseLong(database.query(ADMIN, """
                select coalesce(sum(calls), 0) from pg_stat_statements s join pg_database d on d.oid = s.dbid
                where d.datname = current_database() and s.userid in ('engine'::regrole, 'web'::regrole) and s.query like '%timers.\\_%'
                """));
    }

    @Test
    void overdueTimersAreWorkedOffAtTheStart() {
        schedule(WEB, 2_000, "0 s");
        schedule(EVE, 10, "0 s");
        try (SqlTimerNode one = database.node().open()) {
            database.awaitQuery("select count(*) from timers.timers where status = 1", "2010");
        }
    }

    @Test
    void nodeInstallsTheSchemaByItself() {
        TimersDatabase empty = TimersDatabase.createEmpty();
        try (SqlTimerNode one = empty.node().password(WEB, "whatever").open()) {
            long id = empty.schedule(WEB, "0", "select 1");
            empty.awaitStatus(id, 1);
        }
    }
}
