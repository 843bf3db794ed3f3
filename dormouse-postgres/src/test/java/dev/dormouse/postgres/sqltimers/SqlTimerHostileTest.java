package dev.dormouse.postgres.sqltimers;

import static dev.dormouse.postgres.sqltimers.TimersDatabase.ADMIN;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.EVE;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Actions of a role that tries to become another role, or to harm others. Her code writes the role that it ran as into
 * a table. After each test an ordinary timer of another role fires, and a second one of her own.
 */
@Timeout(120)
class SqlTimerHostileTest {
    private static TimersDatabase database;
    private static SqlTimerNode node;

    @BeforeAll
    static void open() {
        database = TimersDatabase.create();
        database.execute(ADMIN, """
                create table caught (who text default current_user);
                grant all on caught to public;
                create schema eve authorization eve;
                """);
        database.execute(EVE, """
                create function eve.trap() returns int language sql as $$ insert into public.caught default values returning 1 $$;
                create function eve.trap_row() returns trigger language plpgsql
                  as $$ begin perform eve.trap(); return new; end $$;
                create function eve.clock_timestamp() returns timestamptz language sql
                  as $$ select eve.trap(); select pg_catalog.now() $$;
                create function eve.same(text, text) returns boolean language sql
                  as $$ select eve.trap(); select $1 operator(pg_catalog.=) $2 $$;
                create operator eve.= (function = eve.same, leftarg = text, rightarg = text);
                create function eve.coalesced(anyelement) returns anyelement language sql as $$ select eve.trap(); select $1 $$;
                grant usage on schema eve to public;
                grant execute on all functions in schema eve to public;
                create table eve.late (n int);
                create constraint trigger late after insert on eve.late deferrable initially deferred
                  for each row execute function eve.trap_row();
                """);
        node = database.node().open();
    }

    @AfterAll
    static void close() {
        node.close();
    }

    static Stream<Arguments> attacks() {
        return Stream.of(
                attack("reset role", "reset role; select eve.trap()"),
                attack("set role", "set role engine; select eve.trap()"),
                attack("set session authorization", "set session authorization postgres; select eve.trap()"),
                attack("reset session authorization", "reset session authorization; select eve.trap()"),
                attack(
                        "set_config of role",
                        "do $$ begin perform set_config('role', 'engine', false); " + "perform eve.trap(); end $$"),
                attack("set role none", "select set_config('role', 'none', false), eve.trap()"),
                attack("commit in the middle", "select eve.trap(); commit; select eve.trap()"),
                attack("commit in a block", "do $$ begin perform eve.trap(); commit; perform eve.trap(); end $$"),
                attack("rollback", "rollback; select eve.trap()"),
                attack("deferred trigger", "insert into eve.late values (1)"),
                attack("deferred trigger, on purpose", "set constraints all deferred; insert into eve.late values (1)"),
                attack(
                        "cursor with hold",
                        "declare c cursor with hold for select eve.trap() from generate_series(1, 9)"),
                attack("search_path", "set search_path = eve, pg_catalog; select clock_timestamp()"),
                attack("search_path for good", "alter role eve set search_path = eve, pg_catalog"),
                attack("search_path reset", "alter role eve reset search_path"),
                attack(
                        "temp tables",
                        "create temp table ledger (n int); create temp table timers (n int); "
                                + "create trigger t before insert on pg_temp.ledger for each row execute function eve.trap_row()"),
                attack(
                        "temp function",
                        "create function pg_temp.now() returns int language sql as 'select eve.trap()'"),
                attack("deallocate", "deallocate all"),
                attack("prepare", "prepare \"S_1\" as select eve.trap(); prepare \"S_2\" as select eve.trap()"),
                attack(
                        "forged row",
                        "insert into timers.timers (fire_at, action, scheduled_by) "
                                + "values (now(), 'select eve.trap()', 'engine')"),
                attack("forged update", "update timers.timers set scheduled_by = 'engine'"),
                attack("terminate myself", "select pg_terminate_backend(pg_backend_pid())"),
                attack(
                        "terminate my others",
                        "select pg_terminate_backend(pid) from pg_stat_activity "
                                + "where usename = 'eve' and pid <> pg_backend_pid()"),
                attack(
                        "terminate others",
                        "select pg_terminate_backend(pid) from pg_stat_activity " + "where usename <> 'eve'"),
                attack("cancel myself", "select pg_cancel_backend(pg_backend_pid()), pg_sleep(1)"),
                attack("client_encoding", "set client_encoding = 'LATIN1'"),
                attack(
                        "date style and more",
                        "set datestyle = 'German'; set intervalstyle = 'sql_standard'; "
                                + "set timezone = 'Asia/Tokyo'; set bytea_output = 'escape'"),
                attack(
                        "timeouts",
                        "set statement_timeout = 1; set lock_timeout = 1; "
                                + "set idle_in_transaction_session_timeout = 1; set idle_session_timeout = 1"),
                attack("read only", "set default_transaction_read_only = on; set transaction read only"),
                attack("isolation", "set transaction isolation level serializable"),
                attack(
                        "few notices",
                        "set client_min_messages = debug5; do $$ begin for i in 1 .. 1000 loop "
                                + "raise notice '%', repeat('x', 100); end loop; end $$"),
                attack(
                        "notice storm",
                        "set client_min_messages = notice; do $$ begin for i in 1 .. 200000 loop "
                                + "raise notice '%', repeat('x', 1000); end loop; end $$"),
                attack("huge result", "select repeat('x', 1000) from generate_series(1, 200000)"),
                attack("huge error", "do $$ begin raise exception '%', repeat('x', 10000000); end $$"),
                attack(
                        "forged notifications",
                        "listen dormouse_timers; notify dormouse_timers, 'nonsense'; "
                                + "notify dormouse_timers, '999999999999999999999999 action web'; "
                                + "notify dormouse_timers, '-1 action web'; notify dormouse_timers, '5 handler '; "
                                + "notify dormouse_timers, 'probe me'; notify dormouse_timers, 'roles'"),
                attack(
                        "forged setting",
                        "set timers.told = 'nonsense'; " + "select timers.schedule_in('0', 'select eve.trap()')"),
                attack("advisory locks", "select pg_advisory_lock(4710253118346021), pg_advisory_lock(1)"),
                attack("table locks", "lock table timers.timers in access exclusive mode"),
                attack("row locks", "select * from timers.timers for update"),
                attack(
                        "inner functions",
                        "select timers._take(1000, 0); select timers._run_batch(1000, 0, 1000); "
                                + "select timers.fire_all_pending(); select timers._set_apart(1000); select timers._clean()"),
                attack("owner's functions", "select timers._fail_orphans('web', 1000)"),
                attack("enable", "select timers.enable_role('eve')"),
                attack(
                        "catching a timeout",
                        "do $$ begin for i in 1 .. 100 loop begin perform pg_sleep(30); "
                                + "exception when query_canceled then perform eve.trap(); end; end loop; end $$"),
                attack("assert", "do $$ begin assert false; end $$"),
                attack("copy to a program", "copy caught to program 'id'"),
                attack("load", "load 'auto_explain'"),
                attack("replication role", "set session_replication_role = replica; select eve.trap()"));
    }

    private static Arguments attack(String name, String action) {
        return Arguments.of(name, action);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("attacks")
    void noCodeRunsAsAnotherRoleAndTheNodeLives(String name, String action) {
        database.execute(ADMIN, "truncate ledger");
        long hostile = database.schedule(EVE, "0", action, 2_000);
        long ordinary = database.schedule(WEB, "0", "insert into ledger (n) values (1)");
        database.awaitStatus(ordinary, 1);
        database.awaitQuery("select status > 0 from timers.timers where id = " + hostile, "t");
        long after = database.schedule(WEB, "0", "insert into ledger (n) values (2)");
        long hers = database.schedule(EVE, "0", "insert into public.ledger (n) values (3)");
        database.awaitStatus(after, 1);
        database.awaitStatus(hers, 1);
        assertThat(database.rows(ADMIN, "select who || ' ' || n from ledger order by n"))
                .containsExactly("web 1", "web 2", "eve 3");
        assertThat(database.rows(ADMIN, "select distinct who from caught where who <> 'eve'"))
                .isEmpty();
        assertThat(database.query(ADMIN, "select count(*) from timers.timers where scheduled_by not in ('eve', 'web')"))
                .isEqualTo("0");
        assertThat(database.query(ADMIN, "select rolsuper from pg_roles where rolname = 'eve'"))
                .isEqualTo("f");
    }
}
