package dev.dormouse.postgres.sqltimers;

import static dev.dormouse.postgres.sqltimers.TimersDatabase.ADMIN;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.EVE;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** NOTIFY serializes commits: it is sent only if a node must know. No node runs. */
class SqlTimerNoticeTest {
    private static final int READ_AHEAD = 64;

    private final TimersDatabase database = TimersDatabase.create();
    private Connection listening;

    @BeforeEach
    void listen() throws SQLException {
        listening = database.connect(ADMIN);
        try (Statement statement = listening.createStatement()) {
            statement.execute("listen dormouse_timers");
        }
    }

    @AfterEach
    void close() throws SQLException {
        listening.close();
    }

    /** Returns the notifications received since, up to one that is sent here. */
    private List<String> heard() throws SQLException {
        database.execute(ADMIN, "notify dormouse_timers, 'end'");
        List<String> heard = new ArrayList<>();
        for (int i = 0; i < 10 && !heard.contains("end"); i++) {
            for (PGNotification each : listening.unwrap(PGConnection.class).getNotifications(1_000)) {
                heard.add(each.getParameter());
            }
        }
        heard.remove("end");
        return heard;
    }

    @Test
    void nodesAreNotifiedOfATimerWhenItIsCommitted() throws SQLException {
        try (Connection connection = database.connect(WEB);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("select timers.schedule_at('2100-01-01 UTC', 'select 1')");
            assertThat(heard()).isEmpty();
            connection.commit();
        }
        assertThat(heard()).containsExactly("4102444800000000 action web");
    }

    @Test
    void manyTimersInOneTransactionSendOneNotification() throws SQLException {
        database.execute(
                WEB,
                "select timers.schedule_at('2100-01-01 UTC'::timestamptz + g * interval '1 s', 'select 1') "
                        + "from generate_series(0, 999) g");
        assertThat(heard()).containsExactly("4102444800000000 action web");
    }

    @Test
    void timerAfterManyOthersSendsNoNotification() throws SQLException {
        database.execute(
                WEB,
                "select timers.schedule_at('2100-01-01 UTC'::timestamptz + g * interval '1 s', 'select 1') "
                        + "from generate_series(1, " + READ_AHEAD + ") g");
        heard();
        database.execute(WEB, "select timers.schedule_at('2100-01-02 UTC', 'select 1')");
        assertThat(heard()).isEmpty();
        database.execute(WEB, "select timers.schedule_at('2100-01-01 UTC', 'select 1')");
        assertThat(heard()).hasSize(1);
        database.execute(EVE, "select timers.schedule_at('2100-01-02 UTC', 'select 1')");
        assertThat(heard()).hasSize(1);
    }

    @Test
    void othersThatAreDueSoonDoNotCount() throws SQLException {
        database.execute(
                WEB, "select timers.schedule_in('3 s', 'select 1') from generate_series(1, " + READ_AHEAD + ")");
        heard();
        database.execute(WEB, "select timers.schedule_at('2100-01-02 UTC', 'select 1')");
        assertThat(heard()).hasSize(1);
    }

    @Test
    void infinityAndRollbackAndCancelSendNoNotification() throws SQLException {
        database.execute(WEB, "select timers.schedule_at('infinity', 'select 1')");
        database.execute(WEB, "begin; select timers.schedule_in('1 s', 'select 1'); rollback");
        database.execute(WEB, "begin; select timers.schedule_in('1 s', 'select 1'); rollback");
        assertThat(heard()).isEmpty();
        long id = database.schedule(WEB, "1 day", "select 1");
        assertThat(heard()).hasSize(1);
        database.execute(WEB, "select timers.cancel(" + id + ")");
        assertThat(heard()).isEmpty();
    }

    @Test
    void rawChangesOfAnAdminSendNotifications() throws SQLException {
        database.execute(
                ADMIN,
                "insert into timers.timers (fire_at, action, scheduled_by) "
                        + "values ('2100-01-01 UTC', 'select 1', 'web')");
        assertThat(heard()).containsExactly("4102444800000000 action web");
        database.execute(ADMIN, "update timers.timers set fire_at = '2099-01-01 UTC'");
        assertThat(heard()).containsExactly("4070908800000000 action web");
        database.execute(ADMIN, "update timers.settings set timers_per_batch = 10");
        assertThat(heard()).containsExactly("settings");
    }
}
