package dev.dormouse.postgres.sqltimers;

import static dev.dormouse.postgres.sqltimers.TimersDatabase.ADMIN;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.NODE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many roles, and few connections for them. */
@Tag("once")
@Timeout(120)
class SqlTimerConnectionsTest {
    private static final int MOST = 4;

    /** One that was just closed is among the server's for a moment; without a limit there would be one for each role. */
    private static final int MOST_SEEN = MOST + 2;

    private static final String CONNECTIONS = "select count(*) from pg_stat_activity "
            + "where application_name = 'dormouse timers' and datname = current_database()";

    private final TimersDatabase database = TimersDatabase.create();
    private final List<String> roles =
            IntStream.range(0, 12).mapToObj(i -> "tenant" + i).toList();

    @BeforeEach
    void enable() {
        roles.forEach(role -> {
            database.createRole(role);
            database.execute(NODE, "select timers.enable_role('" + role + "')");
        });
    }

    @Test
    void manyRolesShareFewConnections() {
        database.execute(ADMIN, """
                create table crowd (n int);
                grant all on crowd to public;
                create function crowd() returns void language sql security definer as $$ insert into crowd CONNECTIONS $$;
                """.replace("CONNECTIONS", CONNECTIONS));
        try (SqlTimerNode node = database.node().connections(MOST).open()) {
            for (String in : new String[] {"200 ms", "700 ms"}) {
                roles.forEach(role -> database.schedule(role, in, "insert into ledger (n) values (1); select crowd()"));
            }
            database.awaitQuery("select count(*) from ledger", "24");
            assertThat(Integer.parseInt(database.query(ADMIN, "select max(n) from crowd")))
                    .isLessThanOrEqualTo(MOST_SEEN);
        }
    }

    @Test
    void slowActionsDoNotTakeThemAll() {
        try (SqlTimerNode node = database.node().connections(MOST).open()) {
            List<String> slow = roles.subList(0, 6);
            slow.forEach(role -> database.schedule(role, "0", "select pg_sleep(3)"));
            database.awaitQuery("select count(*) from timers.timers where apart", "6");
            roles.subList(6, 12).forEach(role -> database.schedule(role, "0", "insert into ledger (n) values (1)"));
            database.awaitQuery("select count(*) from ledger", "6");
            assertThat(database.query(ADMIN, "select count(*) > 0 from timers.timers where status = 0"))
                    .isEqualTo("t");
            database.awaitQuery("select count(*) from timers.timers where status = 1", "12");
        }
    }
}
