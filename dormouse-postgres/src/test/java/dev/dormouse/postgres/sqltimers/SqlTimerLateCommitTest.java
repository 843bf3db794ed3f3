package dev.dormouse.postgres.sqltimers;

import static dev.dormouse.postgres.sqltimers.TimersDatabase.ADMIN;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.NODE;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Transactions schedule timers after 64 others, so that they send no notification, and become visible only when the
 * other timers are gone and the node has seen that nothing is pending. There is no sweep.
 */
@Timeout(120)
@Tag("once")
class SqlTimerLateCommitTest {
    private final TimersDatabase database = TimersDatabase.create();

    private static String set(int n) {
        return "select timers.schedule_in('21 s', 'insert into ledger (n) values (" + n + ")')";
    }

    @Test
    void timersThatBecomeVisibleLateWithoutANotificationFire() throws Exception {
        database.execute(NODE, "update timers.settings set safety_sweep_seconds = 0");
        database.execute(ADMIN, """
                create function slow() returns trigger language plpgsql as $$ begin perform pg_advisory_lock(7); return null; end $$;
                create constraint trigger slow after insert on ledger deferrable initially deferred
                  for each row when (new.n = 0) execute function slow();
                """);
        database.execute(WEB, "select timers.schedule_in('20 s', 'select 1') from generate_series(1, 64)");
        try (SqlTimerNode node = database.node().open();
                Connection checkedEarly = database.connect(WEB);
                Connection oldSnapshot = database.connect(WEB);
                Connection holding = database.connect(ADMIN)) {
            checkedEarly.setAutoCommit(false);
            execute(checkedEarly, "set constraints all immediate; " + set(1));
            oldSnapshot.setAutoCommit(false);
            execute(oldSnapshot, "set transaction isolation level repeatable read; select from timers.timers");
            execute(holding, "select pg_advisory_lock(7)");
            Thread slowlyCommitting = new Thread(
                    () -> database.execute(WEB, "begin; " + set(3) + "; insert into ledger (n) values (0); commit"));
            slowlyCommitting.start();
            database.awaitQuery(
                    "select count(*) from pg_locks where locktype = 'advisory' and objid = 7 and not granted", "1");

            letTheOthersVanish();
            assertThat(database.query(ADMIN, "select count(*) from timers.timers where status = 0"))
                    .isEqualTo("0");
            checkedEarly.commit();
            execute(oldSnapshot, set(2));
            oldSnapshot.commit();
            execute(holding, "select pg_advisory_unlock(7)");
            slowlyCommitting.join();

            database.awaitQuery("select string_agg(n::text, ' ' order by n) from ledger", "0 1 2 3");
        }
    }

    /** Cancels them, and waits until the node has seen that nothing is pending. */
    private void letTheOthersVanish() {
        database.execute(WEB, "select timers.cancel(id) from timers.timers where status = 0");
        long other = database.schedule(WEB, "0", "select 1");
        database.awaitStatus(other, 1);
        database.query(ADMIN, "select pg_sleep(4)");
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
