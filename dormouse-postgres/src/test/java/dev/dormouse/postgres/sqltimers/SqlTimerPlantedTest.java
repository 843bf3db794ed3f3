package dev.dormouse.postgres.sqltimers;

import static dev.dormouse.postgres.sqltimers.TimersDatabase.ADMIN;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.EVE;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.NODE;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.WEB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Traps that a role sets for others: code of hers that others call, or that the server finds instead of the code that
 * others call. Her code writes the role that it ran as into a table.
 */
@Timeout(120)
class SqlTimerPlantedTest {
    private final TimersDatabase database = TimersDatabase.create();

    @BeforeEach
    void plant() {
        database.execute(ADMIN, """
                create table caught (who text default current_user);
                grant all on caught to public;
                create schema eve authorization eve;
                """);
        database.execute(EVE, """
                create function eve.trap() returns int language sql as $$ insert into public.caught default values returning 1 $$;
                grant usage on schema eve to public;
                """);
    }

    @AfterEach
    void noOtherRoleWasCaught() {
        assertThat(database.rows(ADMIN, "select distinct who from caught where who <> 'eve'"))
                .isEmpty();
    }

    @Test
    void definersFunctionThatIsCalledByAnotherSetsNoTimerInTheNameOfTheCaller() {
        database.execute(EVE, """
                create function eve.harmless() returns bigint language sql security definer
                  as $$ select timers.schedule_in('0', 'select eve.trap()') $$;
                """);
        assertThatThrownBy(() -> database.execute(WEB, "select eve.harmless()"))
                .hasMessageContaining("Expected to be called with the rights of role \"web\"")
                .cause()
                .hasFieldOrPropertyWithValue("SQLState", "42501");
        try (SqlTimerNode node = database.node().open()) {
            database.execute(EVE, "select eve.harmless()");
            database.awaitQuery("select who from caught", EVE);
            long ordinary = database.schedule(WEB, "0", "select 1");
            database.awaitStatus(ordinary, 1);
        }
        assertThat(database.query(ADMIN, "select count(*) from timers.timers where scheduled_by = 'web'"))
                .isEqualTo("1");
    }

    @Test
    void definersFunctionOfAMemberOrASuperuserMaySetTimersForItsCaller() {
        database.createRole("application");
        database.execute(ADMIN, "grant eve to application; grant create on schema public to application");
        database.execute(NODE, "select timers.enable_role('application')");
        database.execute("application", """
                create function remind() returns bigint language sql security definer
                  as $$ select timers.schedule_in('1 day', 'select 1') $$;
                """);
        database.execute(EVE, "select remind()");
        database.execute(ADMIN, "revoke eve from application");
        assertThat(database.query(ADMIN, "select scheduled_by from timers.timers"))
                .isEqualTo(EVE);
    }

    @Test
    void definersFunctionThatIsCalledByAnotherNeitherSeesNorTakesTheCallersTimers() {
        long webs = database.schedule(WEB, "0", "select 'secret'");
        database.execute(EVE, """
                create function eve.peek() returns text language sql security definer
                  as $$ select string_agg(action, ' ') from timers.timers $$;
                create function eve.take() returns text language plpgsql security definer
                  as $$ begin return (timers._take(10, 0)).actions; exception when others then return sqlstate; end $$;
                create function eve.take_one(id bigint) returns text language plpgsql security definer
                  as $$ begin return timers._take_one(id, 0); exception when others then return sqlstate; end $$;
                create function eve.by_hand(id bigint) returns text language plpgsql security definer
                  as $$ begin return timers._take_by_hand(id, 0); exception when others then return sqlstate; end $$;
                """);
        for (String call : new String[] {"peek()", "take()", "take_one(" + webs + ")", "by_hand(" + webs + ")"}) {
            assertThat(database.rows(WEB, "select coalesce(eve." + call + ", '') not like '%secret%'"))
                    .as(call)
                    .containsExactly("t");
        }
        assertThat(database.status(webs)).isZero();
    }

    /** Row-level security does not apply to them. */
    @Test
    void rolesThatSeeEverythingRunOnlyTheirOwnTimers() {
        database.createRole("backup");
        database.execute(ADMIN, "alter role backup bypassrls");
        database.execute(NODE, "select timers.enable_role('backup'); select timers.enable_role('postgres')");
        database.schedule(EVE, "1 s", "select eve.trap()");
        database.schedule(EVE, "1 s", "select eve.trap(), 1/0");
        for (String role : new String[] {"backup", ADMIN, NODE}) {
            database.schedule(role, "1 s", "insert into public.ledger (n) values (1)");
            database.execute(
                    role,
                    "select timers.fire_all_pending(); select timers._take(10, 0); select timers._set_apart(10, '{}')");
            database.schedule(role, "0", "insert into public.ledger (n) values (1)");
        }
        try (SqlTimerNode node = database.node().open()) {
            database.awaitQuery("select count(*) from timers.timers where status = 0", "0");
        }
        assertThat(database.rows(ADMIN, "select who || ' ' || count(*) from ledger group by who order by who"))
                .containsExactly("backup 2", "engine 2", "postgres 2");
        assertThat(database.rows(ADMIN, "select who from caught")).containsExactly(EVE);
    }

    @Test
    void definersFunctionOfARoleThatSeesEverythingSetsNoTimerInTheNameOfItsCaller() {
        database.createRole("backup");
        database.execute(ADMIN, "alter role backup bypassrls; grant create on schema public to backup");
        database.execute(NODE, "select timers.enable_role('backup')");
        database.execute("backup", """
                create function raw() returns void language sql security definer
                  as $$ insert into timers.timers (fire_at, action) values (now(), 'select 1') $$;
                """);
        assertThatThrownBy(() -> database.execute(WEB, "select raw()"))
                .hasMessageContaining("Expected to be called with the rights of role \"web\"");
    }

    @Test
    void scheduledByCannotBeForgedEvenWithGrantsOnTheTable() {
        database.execute(NODE, "grant all on timers.timers to eve");
        for (String forgery : new String[] {
            "insert into timers.timers (fire_at, action, scheduled_by) values (now(), 'select eve.trap()', 'web')",
            "update timers.timers set scheduled_by = 'web'",
        }) {
            database.schedule(EVE, "1 day", "select eve.trap()");
            assertThatThrownBy(() -> database.execute(EVE, forgery))
                    .hasMessageContaining("row-level security")
                    .cause()
                    .hasFieldOrPropertyWithValue("SQLState", "42501");
        }
    }

    /** Even if the server prefers them to its own, or if they match better. */
    @Test
    void operatorsAndTypesOnASearchPathAreNotUsed() {
        database.execute(ADMIN, "alter role web set search_path = eve, pg_catalog, public");
        database.execute(EVE, """
                do $do$
                declare
                  one record;
                begin
                  for one in
                    select o.oprname, format_type(o.oprleft, -1) as l, format_type(o.oprright, -1) as r,
                      format_type(o.oprresult, -1) as result, row_number() over () as n
                    from pg_operator o
                    where o.oprleft = any (array['int4', 'int8', 'text', 'bool', 'timestamptz', 'interval', 'name']::regtype[])
                      and o.oprright = any (array['int4', 'int8', 'text', 'bool', 'timestamptz', 'interval', 'name']::regtype[])
                  loop
                    execute format('create function eve.o%s(%s, %s) returns %s language sql as '
                      '$$ select eve.trap(); select $1 operator(pg_catalog.%s) $2 $$', one.n, one.l, one.r, one.result, one.oprname);
                    execute format('create operator eve.%s (function = eve.o%s, leftarg = %s, rightarg = %s)',
                      one.oprname, one.n, one.l, one.r);
                  end loop;
                end $do$;
                create function eve.times(int, interval) returns interval language sql
                  as $$ select eve.trap(); select $1 operator(pg_catalog.*) $2 $$;
                create operator eve.* (function = eve.times, leftarg = int, rightarg = interval);
                create function eve.append(bigint[], bigint) returns bigint[] language sql
                  as $$ select eve.trap(); select pg_catalog.array_append($1, $2) $$;
                create operator eve.|| (function = eve.append, leftarg = bigint[], rightarg = bigint);
                create domain eve.text as pg_catalog.text check (eve.trap() is not null);
                create domain eve.timestamptz as pg_catalog.timestamptz check (eve.trap() is not null);
                create domain eve.int8 as pg_catalog.int8 check (eve.trap() is not null);
                grant execute on all functions in schema eve to public;
                """);
        long failing = database.schedule(WEB, "0", "select 1/0::int", 60_000);
        database.schedule(WEB, "0", "select from public.ledger", 60_000);
        try (SqlTimerNode node = database.node().open()) {
            database.awaitStatus(failing, 2);
            database.awaitNonePending();
        }
        database.execute(WEB, "insert into timers.timers (fire_at, action) values ('2100-01-01', 'select 1')");
        long byHand = database.schedule(WEB, "1 day", "select from public.ledger");
        database.schedule(WEB, "2 days", "nonsense");
        database.schedule(WEB, "3 days", "select from public.ledger");
        database.execute(WEB, "select timers.fire(" + byHand + "); select timers.fire_all_pending()");
        database.execute(ADMIN, "alter role web reset search_path");
        assertThat(database.query(ADMIN, "select count(*) from timers.timers where status = 0"))
                .isEqualTo("0");
    }
}
