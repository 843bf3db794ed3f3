package dev.dormouse.postgres.sqltimers;

import static dev.dormouse.postgres.sqltimers.TimersDatabase.ADMIN;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** The first examples of docs/sql-timers.md, with the same SQL. */
@Timeout(60)
class SqlTimerExamplesTest {
    private final TimersDatabase database = TimersDatabase.create();
    private SqlTimerNode node;

    @BeforeEach
    void open() {
        database.execute(ADMIN, """
                create table sessions (id int primary key, last_active timestamptz not null, expired boolean default false);
                create table uploads (name text primary key);
                create table accounts (email text primary key, verified boolean default false, timer bigint);
                grant all on sessions, uploads, accounts to web;
                """);
        node = database.node().open();
    }

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void allSqlOfTheGuideIsAccepted() throws IOException {
        List<String> blocks = Pattern.compile("```sql\\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("..", "docs", "sql-timers.md")))
                .results()
                .map(block -> block.group(1))
                .toList();
        assertThat(blocks).hasSize(4);
        blocks.forEach(block -> database.execute(WEB, block));
        assertThat(database.query(ADMIN, "select count(*) from timers.timers"))
                .isEqualTo("3"); // there is no account yet
    }

    @Test
    void sessionExpiresUnlessItWasActiveMeanwhile() {
        database.execute(WEB, "insert into sessions values (1, now()), (2, now())");
        database.execute(WEB, """
                select timers.schedule_in('500 ms', format(
                  $$update sessions set expired = true
                    where id = %L and last_active <= now() - interval '500 ms'$$, id)) from sessions
                """);
        database.execute(WEB, "update sessions set last_active = now() + interval '100 ms' where id = 2");
        database.awaitNonePending();
        database.awaitQuery("select count(*) from timers.timers where status = 1", "2");
        assertThat(database.rows(ADMIN, "select id || ' ' || expired from sessions order by id"))
                .containsExactly("1 true", "2 false");
    }

    @Test
    void notificationAtAnInstant() throws SQLException {
        try (Connection connection = database.connect(WEB);
                Statement statement = connection.createStatement()) {
            statement.execute("listen auctions");
            statement.execute(
                    "select timers.schedule_at(clock_timestamp() + interval '300 ms', $$notify auctions, 'lot 7 closes'$$)");
            PGNotification[] heard = connection.unwrap(PGConnection.class).getNotifications(10_000);
            assertThat(heard).hasSize(1);
            assertThat(heard[0].getParameter()).isEqualTo("lot 7 closes");
        }
    }

    @Test
    void deleteThatIsPutTogetherWithFormat() {
        database.execute(WEB, "insert into uploads values ('it''s; drop table uploads'), ('other')");
        database.execute(WEB, """
                select timers.schedule_in('200 ms', format('delete from uploads where name = %L', name))
                from uploads where name <> 'other'
                """);
        database.awaitQuery("select string_agg(name, ',') from uploads", "other");
    }

    @Test
    void accountIsDeletedUnlessItIsVerifiedInTime() {
        database.execute(WEB, """
                insert into accounts (email) values ('ada'), ('bob');
                update accounts set timer = timers.schedule_in('800 ms',
                  format('delete from accounts where email = %L', email));
                """);
        assertThat(database.query(
                        WEB, "update accounts set verified = true where email = 'ada' returning timers.cancel(timer)"))
                .isEqualTo("t");
        database.awaitQuery("select string_agg(email, ',') from accounts", "ada");
        assertThat(database.query(ADMIN, "select string_agg(status::text, ' ' order by status) from timers.timers"))
                .isEqualTo("1 3");
    }
}
