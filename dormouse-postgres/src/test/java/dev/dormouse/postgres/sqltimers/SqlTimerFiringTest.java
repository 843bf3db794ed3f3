package dev.dormouse.postgres.sqltimers;

import static dev.dormouse.postgres.sqltimers.TimersDatabase.ADMIN;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.EVE;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.NODE;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.WEB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** The life of a timer from the moment that it is due. */
@Timeout(120)
@Tag("once")
class SqlTimerFiringTest {
    private final TimersDatabase database = TimersDatabase.create();
    private SqlTimerNode node;

    @BeforeEach
    void open() {
        node = database.node().open();
    }

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void actionRunsAsTheRoleThatSetItAndIsNeverEarly() {
        long id = database.schedule(WEB, "300 ms", "insert into ledger (n) values (1)");
        assertThat(database.status(id)).isZero();
        database.awaitStatus(id, 1);
        assertThat(database.query(ADMIN, "select who || ' ' || n from ledger")).isEqualTo("web 1");
        assertThat(database.query(ADMIN, """
                        select fired_at >= fire_at and (select at from ledger) >= fire_at and error is null
                        from timers.timers""")).isEqualTo("t");
    }

    @Test
    void nodesOwnRoleWorksOutOfTheBox() {
        long id = database.schedule(NODE, "0", "insert into ledger (n) values (1)");
        database.awaitStatus(id, 1);
        assertThat(database.query(ADMIN, "select who from ledger")).isEqualTo(NODE);
    }

    @Test
    void actionOfSeveralStatementsIsOneTransaction() {
        long id = database.schedule(WEB, "0", "insert into ledger (n) values (1); insert into ledger (n) values (1/0)");
        database.awaitStatus(id, 2);
        assertThat(database.query(ADMIN, "select count(*) from ledger")).isEqualTo("0");
        assertThat(database.column("error", id)).isEqualTo("division by zero");
        assertThat(database.column("sqlstate", id)).isEqualTo("22012");
        assertThat(database.column("fired_at is not null", id)).isEqualTo("t");
    }

    @Test
    void actionThatCannotRunInATransactionFailsItsTimerOnly() {
        long commit = database.schedule(WEB, "0", "insert into ledger (n) values (1); commit");
        long rollback = database.schedule(WEB, "0", "rollback");
        long vacuum = database.schedule(WEB, "0", "vacuum ledger");
        long block = database.schedule(WEB, "0", "do $$ begin insert into ledger (n) values (2); commit; end $$");
        long nonsense = database.schedule(WEB, "0", "selec 1");
        long good = database.schedule(WEB, "0", "insert into ledger (n) values (3)");
        for (long id : new long[] {commit, rollback, vacuum, block, nonsense}) {
            database.awaitStatus(id, 2);
        }
        database.awaitStatus(good, 1);
        assertThat(database.column("sqlstate", commit)).isEqualTo("0A000");
        assertThat(database.column("sqlstate", rollback)).isEqualTo("0A000");
        assertThat(database.column("error", vacuum))
                .isIn("VACUUM cannot be executed from a function", "VACUUM cannot run inside a transaction block");
        assertThat(database.column("sqlstate", block)).isEqualTo("2D000");
        assertThat(database.column("sqlstate", nonsense)).isEqualTo("42601");
        assertThat(database.rows(ADMIN, "select n from ledger")).containsExactly("3");
    }

    @Test
    void deferredConstraintFailsTheTimerThatBrokeIt() {
        database.execute(ADMIN, """
                create table parent (id int primary key);
                create table child (id int references parent deferrable initially deferred);
                grant all on parent, child to public;
                """);
        long bad = database.schedule(WEB, "0", "insert into child values (1)");
        long good = database.schedule(WEB, "0", "insert into child values (2); insert into parent values (2)");
        database.awaitStatus(bad, 2);
        database.awaitStatus(good, 1);
        assertThat(database.column("sqlstate", bad)).isEqualTo("23503");
        assertThat(database.rows(ADMIN, "select id from child")).containsExactly("2");
    }

    @Test
    void timeoutEndsAnAction() {
        long id = database.schedule(WEB, "0", "select pg_sleep(60)", 200);
        database.awaitStatus(id, 2);
        assertThat(database.column("sqlstate", id)).isEqualTo("57014");
        assertThat(database.column("error", id)).isEqualTo("canceling statement due to statement timeout");
    }

    @Test
    void timeoutEndsAnActionThatCatchesIt() {
        long id = database.schedule(WEB, "0", """
                do $$ begin
                  for i in 1 .. 1000 loop
                    begin perform pg_sleep(60); exception when query_canceled then null; end;
                  end loop;
                end $$""", 200);
        database.awaitStatus(id, 2);
        assertThat(database.column("sqlstate", id)).isEqualTo("57014");
        assertThat(database.column("error", id)).contains("within 200 ms").contains("terminated");
        database.awaitQuery(
                "select count(*) from pg_stat_activity where query like '%_run_one%' and state = 'active' "
                        + "and usename = 'web' and datname = current_database()",
                "0");
    }

    @Test
    void actionThatTakesLongerThanItsTimeoutFailsEvenWhenItIsShort() {
        long id = database.schedule(WEB, "0", "select pg_sleep(0.05)", 10);
        database.awaitStatus(id, 2);
        assertThat(database.column("sqlstate", id)).isEqualTo("57014");
    }

    @Test
    void slowActionDelaysNoOther() {
        long slow = database.schedule(WEB, "0", "select pg_sleep(5)");
        database.awaitQuery("select apart from timers.timers where id = " + slow, "t");
        long same = database.schedule(WEB, "0", "select 1");
        long other = database.schedule(EVE, "0", "select 1");
        database.awaitStatus(same, 1);
        database.awaitStatus(other, 1);
        assertThat(database.status(slow)).isZero();
        database.awaitStatus(slow, 1);
    }

    /** In one expression the server looks for no signal between one function and the next. */
    @Test
    void actionThatCannotBeInterruptedHoldsUpOthersNoMoreThanOnce() {
        String stubborn = "select md5(x) " + " || md5(x)".repeat(40)
                + " from (select repeat(repeat(''x'', 100000), 500) x offset 0) y";
        database.execute(
                WEB,
                "begin; select timers.schedule_in('300 ms', '" + stubborn + "'); "
                        + "select timers.schedule_in('300 ms', 'insert into ledger (n) values (1)') "
                        + "from generate_series(1, 20); commit");
        database.awaitQuery("select count(*) from ledger", "20");
        database.awaitQuery("select count(*) from timers.timers where status = 1", "21");
    }

    @Test
    void fireByAnAdminRunsItAsTheRoleThatSetItUnlessTheAdminRollsBack() {
        long kept = database.schedule(EVE, "1 day", "select 1");
        long id = database.schedule(EVE, "1 day", "insert into ledger (n) values (1)");
        database.execute(NODE, "begin; select timers.fire(" + kept + "); rollback");
        assertThat(database.query(NODE, "select timers.fire(" + id + ")")).isEqualTo("t");
        database.awaitStatus(id, 1);
        assertThat(database.query(ADMIN, "select who from ledger")).isEqualTo(EVE);
        assertThat(database.status(kept)).isZero();
    }

    @Test
    void everyShardKeyCanRunAlone() {
        for (String key : new String[] {"9223372036854775807", "-9223372036854775808"}) {
            database.execute(WEB, "select timers.schedule_in('0', 'select 1/0', " + key + ")");
        }
        database.awaitQuery("select string_agg(sqlstate, ' ') from timers.timers", "22012 22012");
    }

    @Test
    void fileCanBeRunAgainDuringAnActionWithoutBlocking() {
        long slow = database.schedule(WEB, "0", "select pg_sleep(20)");
        database.awaitQuery("select apart from timers.timers where id = " + slow, "t");
        database.execute(NODE, "set statement_timeout = '10s';" + SqlTimerNode.script());
        long other = database.schedule(WEB, "0", "select 1");
        database.awaitStatus(other, 1);
        assertThat(database.status(slow)).isZero();
        database.execute(
                ADMIN,
                "select pg_cancel_backend(pid) from pg_stat_activity "
                        + "where query like '%\\_run\\_one%' and datname = current_database() and usename = 'web'");
        database.awaitStatus(slow, 2);
    }

    @Test
    void nodeThatIsClosedTakesNoMore() {
        database.execute(NODE, "update timers.settings set timers_per_batch = 1");
        database.execute(WEB, "select timers.schedule_in('0', 'select pg_sleep(0.05)') from generate_series(1, 1000)");
        database.awaitQuery("select count(*) > 0 from timers.timers where status = 1", "t");
        long began = System.nanoTime();
        node.close();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
        assertThat(Integer.parseInt(database.query(ADMIN, "select count(*) from timers.timers where status = 0")))
                .isGreaterThan(500);
    }

    @Test
    void cancelOfARunningActionWaitsForItAndIsFalse() {
        long id = database.schedule(WEB, "0", "select pg_sleep(2); insert into ledger (n) values (1)");
        database.awaitQuery(
                "select count(*) from pg_stat_activity where query like '%_run_one(" + id
                        + ",%' and wait_event = 'PgSleep' and usename = 'web' and datname = current_database()",
                "1");
        assertThat(database.query(WEB, "select timers.cancel(" + id + ")")).isEqualTo("f");
        assertThat(database.status(id)).isEqualTo(1);
        assertThat(database.query(ADMIN, "select count(*) from ledger")).isEqualTo("1");
    }

    @Test
    void cancelledTimerNeverFires() {
        long id = database.schedule(WEB, "500 ms", "insert into ledger (n) values (1)");
        long after = database.schedule(WEB, "800 ms", "insert into ledger (n) values (2)");
        assertThat(database.query(WEB, "select timers.cancel(" + id + ")")).isEqualTo("t");
        database.awaitStatus(after, 1);
        assertThat(database.status(id)).isEqualTo(3);
        assertThat(database.rows(ADMIN, "select n from ledger")).containsExactly("2");
    }

    @Test
    void rolledBackScheduleLeavesNothingAndLateCommitFiresAtOnce() throws SQLException {
        try (Connection connection = database.connect(WEB);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("select timers.schedule_in('0', 'insert into ledger (n) values (1)')");
            connection.rollback();
            statement.execute("select timers.schedule_in('0', 'insert into ledger (n) values (2)')");
            long other = database.schedule(WEB, "1 s", "insert into ledger (n) values (3)");
            database.awaitStatus(other, 1);
            connection.commit();
        }
        database.awaitQuery("select string_agg(n::text, ' ' order by n) from ledger", "2 3");
        assertThat(database.query(ADMIN, "select count(*) from timers.timers")).isEqualTo("2");
    }

    @Test
    void infinityNeverFiresAndFarFutureIsKept() {
        long never = Long.parseLong(database.query(WEB, "select timers.schedule_at('infinity', 'select 1')"));
        long far = Long.parseLong(
                database.query(WEB, "select timers.schedule_at('294276-12-31 23:59:59 UTC', 'select 1')"));
        long past = Long.parseLong(
                database.query(WEB, "select timers.schedule_at('4713-01-01 BC', 'insert into ledger (n) values (1)')"));
        database.awaitStatus(past, 1);
        assertThat(database.status(never)).isZero();
        assertThat(database.status(far)).isZero();
    }

    @Test
    void rawInsertAndRawUpdateByAnAdminFireOnTime() {
        database.execute(NODE, "update timers.settings set safety_sweep_seconds = 0");
        database.execute(
                ADMIN,
                "insert into timers.timers (fire_at, action, scheduled_by) "
                        + "values (now(), 'insert into ledger (n) values (1)', 'web')");
        database.awaitQuery("select who from ledger", WEB);
        long moved = database.schedule(WEB, "1 day", "insert into ledger (n) values (2)");
        database.execute(ADMIN, "update timers.timers set fire_at = now() where id = " + moved);
        database.awaitStatus(moved, 1);
    }

    @Test
    void rawInsertWithoutANotificationIsFoundByTheSweep() {
        database.execute(NODE, "update timers.settings set safety_sweep_seconds = 1");
        database.execute(ADMIN, """
                set session_replication_role = replica;
                insert into timers.timers (fire_at, action, scheduled_by)
                values (now() - interval '1 day', 'insert into ledger (n) values (1)', 'web');
                """);
        database.awaitQuery("select who from ledger", WEB);
    }

    @Test
    void firingDoesNotDependOnTheSweep() {
        database.execute(NODE, "update timers.settings set safety_sweep_seconds = 0");
        long id = 0;
        for (int i = 0; i < 100; i++) {
            id = database.schedule(WEB, (i * 15) + " ms", "insert into ledger (n) values (" + i + ")");
        }
        database.awaitStatus(id, 1);
        database.awaitQuery("select count(distinct n) || ' ' || count(*) from ledger", "100 100");
    }

    @Test
    void settingsAreNoticedWithoutARestart() {
        database.execute(NODE, "update timers.settings set timers_per_batch = 3");
        database.execute(
                WEB,
                "select timers.schedule_in('500 ms', 'insert into ledger (n) values (txid_current())') "
                        + "from generate_series(1, 9)");
        database.awaitNonePending();
        database.awaitQuery("select count(*) from ledger", "9");
        assertThat(Integer.parseInt(database.query(ADMIN, "select count(distinct n) from ledger")))
                .isGreaterThanOrEqualTo(3);
    }

    @Test
    void actionMaySetTimers() {
        database.schedule(
                WEB, "0", "select timers.schedule_in('200 ms', 'insert into ledger (n) values (7)'); select 1");
        database.awaitQuery("select count(*) from ledger where n = 7", "1");
    }

    @Test
    void actionCannotCancelItself() {
        long id = Long.parseLong(database.query(
                WEB,
                "select timers.schedule_in('300 ms', 'insert into ledger (n) select count(*) from timers.timers t, "
                        + "timers.cancel(t.id) c where c')"));
        database.awaitStatus(id, 1);
        assertThat(database.query(ADMIN, "select n from ledger")).isEqualTo("0");
    }

    @Test
    void roleThatIsEnabledLaterIsServedAtOnce() {
        database.createRole("late");
        node.close();
        node = database.node().open();
        database.execute(NODE, "select timers.enable_role('late')");
        long id = database.schedule("late", "0", "insert into ledger (n) values (1)");
        database.awaitStatus(id, 1);
        assertThat(database.query(ADMIN, "select who from ledger")).isEqualTo("late");
    }

    @Test
    void timerOfADroppedRoleFailsWithAClearError() {
        database.createRole("gone");
        database.execute(NODE, "select timers.enable_role('gone')");
        long id = database.schedule("gone", "1 s", "select 1");
        database.execute(NODE, "select timers.disable_role('gone')");
        database.execute(ADMIN, "drop role gone");
        database.execute(NODE, "update timers.settings set safety_sweep_seconds = 1");
        database.awaitStatus(id, 2);
        assertThat(database.column("error", id))
                .isEqualTo("Expected role \"gone\", which scheduled this timer, to exist, but it was dropped.");
    }

    @Test
    void timersOfARoleThatCannotLogInStayPendingAndDelayNoOther() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(RoleLane.class);
        log.start();
        logger.addAppender(log);
        database.createRole("locked");
        database.execute(NODE, "select timers.enable_role('locked')");
        database.execute(ADMIN, "alter role locked nologin");
        database.execute(
                ADMIN,
                "insert into timers.timers (fire_at, action, scheduled_by) "
                        + "values (now(), 'insert into ledger (n) values (1)', 'locked')");
        long other = database.schedule(WEB, "500 ms", "select 1");
        database.awaitStatus(other, 1);
        assertThat(database.query(ADMIN, "select status from timers.timers where scheduled_by = 'locked'"))
                .isEqualTo("0");
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "Expected to log in as role locked, but could not (FATAL: role \"locked\" is not permitted "
                                + "to log in). Its timers stay pending. Give this node the role's password, or let the server "
                                + "trust it.");
        logger.detachAppender(log);
        database.execute(ADMIN, "alter role locked login");
        database.execute(NODE, "update timers.settings set timers_per_batch = 100"); // any change lets nodes try again
        database.awaitQuery("select who from ledger", "locked");
    }

    @Test
    void roleThatIsRenamedKeepsItsTimersForItsNewName() {
        database.createRole("before");
        database.execute(NODE, "select timers.enable_role('before')");
        long id = database.schedule("before", "1 s", "insert into ledger (n) values (1)");
        database.execute(ADMIN, "alter role before rename to behind");
        database.execute(NODE, "update timers.settings set timers_per_batch = 100"); // nodes look who is there
        long other = database.schedule(WEB, "2 s", "select 1");
        database.awaitStatus(other, 1);
        assertThat(database.status(id)).isZero();
        assertThatThrownBy(() -> database.schedule("behind", "0", "select 1")).hasMessageContaining("not");
        database.execute(NODE, "select timers.enable_role('behind')");
        database.awaitQuery("select who from ledger", "behind");
        assertThat(database.query("behind", "select status from timers.timers")).isEqualTo("1");
        database.execute(ADMIN, "drop owned by behind; drop role behind");
    }

    @Test
    void roleOfTheSameNameAsADroppedOneDoesNotInheritItsTimers() {
        database.createRole("twin");
        database.execute(NODE, "select timers.enable_role('twin')");
        long id = database.schedule("twin", "1 s", "insert into ledger (n) values (1)");
        database.execute(ADMIN, "drop owned by twin; drop role twin; create role twin login");
        database.execute(NODE, "update timers.settings set timers_per_batch = 100");
        long other = database.schedule(WEB, "1500 ms", "select 1");
        database.awaitStatus(other, 1);
        assertThat(database.status(id)).isZero();
        database.execute(NODE, "select timers.enable_role('twin')");
        database.awaitStatus(id, 1);
    }

    @Test
    void scheduleInCountsFromTheCallNotFromTheTransaction() {
        database.execute(WEB, "begin; select pg_sleep(0.3); select timers.schedule_in('1 s', 'select 1'); commit");
        assertThat(database.query(ADMIN, "select fire_at - created_at > '0.9 s' from timers.timers"))
                .isEqualTo("t");
    }

    @Test
    void closeWaitsForRunningActions() {
        long id = database.schedule(WEB, "0", "select pg_sleep(1.5); insert into ledger (n) values (1)");
        database.awaitQuery(
                "select count(*) from pg_stat_activity where query like '%_run_one(" + id
                        + ",%' and state = 'active' and usename = 'web' and datname = current_database()",
                "1");
        CompletableFuture<Void> closing = CompletableFuture.runAsync(node::close);
        closing.join();
        assertThat(database.status(id)).isEqualTo(1);
    }
}
