package dev.dormouse.postgres.sqltimers;

import static dev.dormouse.postgres.sqltimers.TimersDatabase.ADMIN;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.EVE;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Throughput and lateness. Printed, never asserted, because machines are noisy. */
@Timeout(300)
@Tag("once")
class SqlTimerRateTest {
    private static final int DRAINED = Integer.getInteger("sqltimers.drained", 20_000);
    private static final int PUNCTUAL = Integer.getInteger("sqltimers.punctual", 300);

    private final TimersDatabase database = TimersDatabase.create();

    @Test
    void manyThatAreDueAtOnce() {
        for (String role : new String[] {WEB, EVE}) {
            database.execute(role, """
                    select timers.schedule_in('0', format('insert into ledger (n) values (%s)', g))
                    from generate_series(1, COUNT) g
                    """.replace("COUNT", Integer.toString(DRAINED / 2)));
        }
        drain("a node, two roles");
    }

    @Test
    void manyOfOneRoleThatAreDueAtOnce() {
        database.execute(WEB, """
                select timers.schedule_in('0', format('insert into ledger (n) values (%s)', g))
                from generate_series(1, COUNT) g
                """.replace("COUNT", Integer.toString(DRAINED)));
        drain("a node, one role");
    }

    private void drain(String what) {
        try (SqlTimerNode node = database.node().open()) {
            database.awaitQuery("select count(*) from timers.timers where status = 1", Integer.toString(DRAINED));
        }
        assertThat(database.query(ADMIN, "select count(*) from ledger")).isEqualTo(Integer.toString(DRAINED));
        System.out.println(what + ": " + DRAINED + " due at once, fired at "
                + database.query(ADMIN, "select round(count(*) / extract(epoch from max(at) - min(at))) from ledger")
                + " a second");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void punctualWithAndWithoutManyOthers(boolean others) {
        if (others) {
            SqlTimerPlanTest.fill(database, Integer.getInteger("sqltimers.others", 200_000));
        }
        try (SqlTimerNode node = database.node().open()) {
            database.execute(WEB, """
                    select timers.schedule_in('1 s' + g * interval '10 ms', format('insert into ledger (n) values (%s)', g))
                    from generate_series(1, COUNT) g
                    """.replace("COUNT", Integer.toString(PUNCTUAL)));
            database.awaitQuery("select count(*) from ledger", Integer.toString(PUNCTUAL));
        }
        assertThat(database.query(ADMIN, """
                        select count(*) from ledger l join timers.timers t
                          on t.action = format('insert into ledger (n) values (%s)', l.n) where l.at < t.fire_at""")).isEqualTo("0");
        System.out.println("late, with" + (others ? "" : "out") + " many others: " + database.query(ADMIN, """
                        select format('p50 %s p99 %s max %s', percentile_cont(0.5) within group (order by late),
                          percentile_cont(0.99) within group (order by late), max(late))
                        from (select l.at - t.fire_at as late from ledger l join timers.timers t
                          on t.action = format('insert into ledger (n) values (%s)', l.n)) x"""));
    }
}
