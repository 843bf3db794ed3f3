package dev.dormouse.postgres.sqltimers;

import static dev.dormouse.postgres.sqltimers.TimersDatabase.ADMIN;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.NODE;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.WEB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 in the middle of many timers: of a node, and of PostgreSQL. */
@Timeout(180)
@Tag("once")
class SqlTimerCrashTest {
    /** A server that has seen all tests of this module syncs tens of thousands of files before it accepts connections. */
    private static final Duration RECOVERY = Duration.ofMinutes(2);

    private static final int COUNT = 1_000;
    private static final String ONCE_EACH = "select count(*) || ' ' || count(distinct n) from ledger";

    private final TimersDatabase database = TimersDatabase.create();

    @TempDir
    private Path directory;

    private void schedule() {
        database.execute(WEB, """
                select timers.schedule_in('1 s' + interval '4 s' * random(), format('insert into ledger (n) values (%s)', g))
                from generate_series(1, COUNT) g
                """.replace("COUNT", Integer.toString(COUNT)));
    }

    private void awaitSomeFired() {
        database.awaitQuery("select count(*) > 100 from ledger", "t");
    }

    private void assertAllFireOnce() {
        database.awaitQuery("select count(*) from timers.timers where status = 1", Integer.toString(COUNT));
        assertThat(database.query(ADMIN, ONCE_EACH)).isEqualTo(COUNT + " " + COUNT);
        assertThat(
                        database.query(
                                ADMIN,
                                "select count(*) from ledger l join timers.timers t "
                                        + "on t.action = format('insert into ledger (n) values (%s)', l.n) where l.at < t.fire_at"))
                .isEqualTo("0");
    }

    @Test
    void killedNodeLosesNothingAndFiresNothingTwice() throws IOException {
        Process first = SqlTimerProcess.start(database.url(NODE), directory.resolve("first.log"));
        try {
            database.awaitQuery(
                    "select count(*) from pg_stat_activity where application_name = 'dormouse timers listen' "
                            + "and datname = current_database()",
                    "1");
            schedule();
            awaitSomeFired();
        } finally {
            first.destroyForcibly();
        }
        Process second = SqlTimerProcess.start(database.url(NODE), directory.resolve("second.log"));
        try {
            assertAllFireOnce();
        } finally {
            second.destroyForcibly();
        }
    }

    @Test
    void killedServerLosesNothingAndFiresNothingTwice() {
        database.execute(ADMIN, "checkpoint"); // so that it recovers what this test did, and not gigabytes of others
        try (SqlTimerNode node = database.node().open()) {
            schedule();
            awaitSomeFired();
            killServer();
            await().ignoreExceptions()
                    .atMost(RECOVERY)
                    .until(() -> !database.query(ADMIN, ONCE_EACH).isEmpty());
            assertAllFireOnce();
            long after = database.schedule(WEB, "200 ms", "select 1");
            database.awaitStatus(after, 1);
        }
    }

    /** When one of its processes is killed, PostgreSQL ends all others at once and recovers from its log. */
    private void killServer() {
        long pid = Long.parseLong(database.query(
                ADMIN,
                "select pid from pg_stat_activity where application_name like 'dormouse timers%' "
                        + "and datname = current_database() limit 1"));
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    }
}
