package dev.dormouse.postgres.sqltimers;

import static dev.dormouse.postgres.sqltimers.TimersDatabase.ADMIN;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.NODE;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Timers that are set, and cancelled or not, at the very moment at which they are due, against a node that is idle. */
class SqlTimerRaceTest {
    private static final int ROUNDS = Integer.getInteger("sqltimers.races", 2_000);

    private final TimersDatabase database = TimersDatabase.create();
    private final Random random = new Random(47);
    private final Set<Long> cancelled = new HashSet<>();
    private final Set<Long> kept = new HashSet<>();

    @Test
    @Timeout(900)
    void everyTimerIsEitherFiredOnceOrCancelledAndNoneIsLeft() throws SQLException {
        database.execute(NODE, "update timers.settings set safety_sweep_seconds = 0");
        try (SqlTimerNode node = database.node().open();
                Connection connection = database.connect(WEB);
                PreparedStatement schedule = connection.prepareStatement(
                        "select timers.schedule_in(? * interval '1 us', 'insert into ledger (n) select 1')");
                PreparedStatement cancel = connection.prepareStatement("select timers.cancel(?)")) {
            for (int i = 0; i < ROUNDS; i++) {
                race(schedule, cancel);
            }
            database.awaitNonePending();
        }
        assertThat(database.query(ADMIN, "select count(*) from timers.timers where status = 1"))
                .isEqualTo(Integer.toString(kept.size()));
        assertThat(database.query(ADMIN, "select count(*) from timers.timers where status = 3"))
                .isEqualTo(Integer.toString(cancelled.size()));
        assertThat(database.query(ADMIN, "select count(*) from ledger")).isEqualTo(Integer.toString(kept.size()));
        assertThat(database.query(ADMIN, "select count(*) from timers.timers where fired_at < fire_at"))
                .isEqualTo("0");
        System.out.println(
                ROUNDS + " races: " + cancelled.size() + " cancelled, " + kept.size() + " fired, late by at most "
                        + database.query(
                                ADMIN,
                                "select max(fired_at - greatest(fire_at, created_at)) from timers.timers where status = 1"));
    }

    private void race(PreparedStatement schedule, PreparedStatement cancel) throws SQLException {
        schedule.setInt(1, random.nextInt(3_000));
        long id = longOf(schedule);
        if (random.nextInt(4) == 0) {
            kept.add(id);
            return;
        }
        cancel.setLong(1, id);
        try (ResultSet row = cancel.executeQuery()) {
            row.next();
            (row.getBoolean(1) ? cancelled : kept).add(id);
        }
    }

    private static long longOf(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }
}
