package dev.dormouse.postgres.sqltimers;

import static dev.dormouse.postgres.sqltimers.TimersDatabase.ADMIN;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.EVE;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.NODE;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.WEB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.error.DormouseException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The schema by itself: valid arguments, rights to call its functions, visibility of rows. No node runs. */
class SqlTimerSurfaceTest {
    private static TimersDatabase database;

    @BeforeAll
    static void create() {
        database = TimersDatabase.create();
    }

    @BeforeEach
    void empty() {
        database.execute(ADMIN, "truncate timers.timers; truncate ledger");
    }

    @Test
    void fileCanBeRunAgainAndChangesNothing() {
        long id = database.schedule(WEB, "1 day", "select 1");
        database.execute(NODE, "update timers.settings set timers_per_batch = 77");
        database.execute(NODE, SqlTimerNode.script());
        assertThat(database.status(id)).isZero();
        assertThat(database.query(NODE, "select timers_per_batch from timers.settings"))
                .isEqualTo("77");
        assertThat(database.query(NODE, "select string_agg(name, ' ' order by name) from timers.roles where enabled"))
                .isEqualTo("engine eve web");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "timers.schedule_at(null, 'select 1')                  | 22004",
                "timers.schedule_at('-infinity', 'select 1')           | 22023",
                "timers.schedule_at(now(), null)                       | 22004",
                "timers.schedule_at(now(), '')                         | 22023",
                "timers.schedule_at(now(), '  ; ')                     | 22023",
                "timers.schedule_at(now(), 'select 1', null)           | 22004",
                "timers.schedule_at(now(), 'select 1', 0, null)        | 22004",
                "timers.schedule_at(now(), 'select 1', 0, -1)          | 22023",
                "timers.schedule_in(null, 'select 1')                  | 22004",
                "timers.schedule_in('1 s', null)                       | 22004",
                "timers.schedule_in('1 s', '')                         | 22023",
                "timers.schedule_in('1 s', 'select 1', timeout_ms => -5) | 22023",
                "timers.schedule_in('400000 years', 'select 1')        | 22008",
                "timers.schedule_handler(now(), null)                  | 22004",
                "timers.schedule_handler(now(), ' ')                   | 22023",
                "timers.schedule_handler(null, 'mail')                 | 22004",
                "timers.cancel(null)                                   | 22004",
                "timers.cancel(1, null)                                | 22004",
                "timers.prune(interval '1 day')                        | 42501",
                "timers.enable_role('web')                             | 42501",
            })
    void badInputIsAnErrorAtOnce(String call, String state) {
        assertThatThrownBy(() -> database.execute(WEB, "select " + call))
                .cause()
                .hasFieldOrPropertyWithValue("SQLState", state);
        assertThat(database.query(ADMIN, "select count(*) from timers.timers")).isEqualTo("0");
    }

    @ParameterizedTest
    @CsvSource({"infinity", "294276-12-31 23:59:59.999999 UTC", "4713-01-01 BC", "1969-12-31", "2000-01-01"})
    void everyOtherInstantIsKept(String instant) {
        database.execute(WEB, "select timers.schedule_at('" + instant + "', 'select 1')");
        assertThat(database.query(ADMIN, "select fire_at = '" + instant + "' from timers.timers"))
                .isEqualTo("t");
    }

    @Test
    void tableHasTheColumnsKeyAndIndexThatPeopleKnow() {
        assertThat(database.query(ADMIN, """
                        select string_agg(attname, ' ' order by attnum) from pg_attribute
                        where attrelid = 'timers.timers'::regclass and attnum > 0"""))
                .startsWith("id shard_key fire_at action status created_at fired_at scheduled_by timeout_ms error");
        assertThat(database.query(ADMIN, """
                        select pg_get_constraintdef(oid) from pg_constraint
                        where conrelid = 'timers.timers'::regclass and contype = 'p'""")).isEqualTo("PRIMARY KEY (shard_key, id)");
        assertThat(database.query(ADMIN, "select to_regclass('timers.timers_pending_idx') is not null"))
                .isEqualTo("t");
    }

    @Test
    void publicHasUsageAndNothingElse() {
        database.createRole("stranger");
        assertThat(database.query(ADMIN, "select has_schema_privilege('stranger', 'timers', 'usage')"))
                .isEqualTo("t");
        assertThat(database.query(ADMIN, "select has_schema_privilege('stranger', 'timers', 'create')"))
                .isEqualTo("f");
        assertThat(database.query(ADMIN, """
                        select count(*) from pg_proc p where pronamespace = 'timers'::regnamespace
                          and has_function_privilege('stranger', oid, 'execute')""")).isEqualTo("0");
        assertThat(database.query(ADMIN, """
                        select count(*) from pg_class where relnamespace = 'timers'::regnamespace and relkind in ('r', 'S')
                          and has_table_privilege('stranger', oid, 'select, insert, update, delete')""")).isEqualTo("0");
    }

    @Test
    void definersHaveAFixedSearchPath() {
        assertThat(database.rows(ADMIN, """
                        select proname from pg_proc where pronamespace = 'timers'::regnamespace and prosecdef
                          and not coalesce('search_path=pg_catalog, pg_temp' = any (proconfig), false)""")).isEmpty();
    }

    @Test
    void roleThatIsNotEnabledGetsAnErrorAtOnce() {
        database.createRole("novice");
        database.execute(
                NODE,
                "grant execute on all functions in schema timers to novice; grant select on timers.timers to novice");
        assertThatThrownBy(() -> database.schedule("novice", "1 s", "select 1"))
                .hasMessageContaining("Expected a role for which SQL timers are enabled, but \"novice\" is not.")
                .hasMessageContaining("select timers.enable_role('novice')");
        assertThatThrownBy(() -> database.execute("novice", "select timers.enable_role('novice')"))
                .hasMessageContaining("Expected the owner");
        database.execute("novice", "select timers.schedule_handler(now(), 'mail', '{}')"); // data, not code
        assertThat(database.query("novice", "select count(*) from timers.timers"))
                .isEqualTo("1");
    }

    @Test
    void enablingNeedsARoleThatCanLogIn() {
        assertThatThrownBy(() -> database.execute(NODE, "select timers.enable_role('nobody at all')"))
                .hasMessageContaining("there is none named");
        assertThatThrownBy(() -> database.execute(NODE, "select timers.enable_role('pg_monitor')"))
                .hasMessageContaining("Expected a role that can log in, but \"pg_monitor\" cannot.");
    }

    @Test
    void roleSeesAndCancelsItsOwnOnly() {
        long webs = database.schedule(WEB, "1 day", "select 1");
        long eves = database.schedule(EVE, "1 day", "select 2");
        assertThat(database.rows(EVE, "select id from timers.timers")).containsExactly(Long.toString(eves));
        assertThat(database.query(EVE, "select timers.cancel(" + webs + ")")).isEqualTo("f");
        assertThat(database.query(EVE, "select timers.fire(" + webs + ")")).isEqualTo("f");
        assertThat(database.status(webs)).isZero();
        assertThat(database.query(WEB, "select timers.cancel(" + webs + ")")).isEqualTo("t");
        assertThat(database.query(WEB, "select timers.cancel(" + webs + ")")).isEqualTo("f");
        assertThat(database.query(ADMIN, "select timers.cancel(" + eves + ")")).isEqualTo("t");
    }

    @Test
    void scheduledByIsTheOuterUserAndCannotBeForged() {
        database.execute(ADMIN, """
                create or replace function as_admin() returns bigint language sql security definer
                  as $$ select timers.schedule_in('1 day', 'select 1') $$;
                grant web to eve;
                """);
        database.execute(EVE, "select as_admin()");
        assertThat(database.query(ADMIN, "select scheduled_by from timers.timers"))
                .isEqualTo(EVE);
        database.execute(EVE, "set role web; select timers.schedule_in('2 days', 'select 2')");
        database.execute(ADMIN, "revoke web from eve");
        assertThat(database.query(ADMIN, "select scheduled_by from timers.timers where action = 'select 2'"))
                .isEqualTo(WEB);
        assertThatThrownBy(() -> database.execute(
                        EVE, "insert into timers.timers (fire_at, action, scheduled_by) values (now(), 'x', 'web')"))
                .hasMessageContaining("permission denied");
        assertThatThrownBy(() -> database.execute(EVE, "update timers.timers set scheduled_by = 'web'"))
                .hasMessageContaining("permission denied");
    }

    @Test
    void shardKeyIsPartOfATimersName() {
        String id = database.query(WEB, "select timers.schedule_in('1 day', 'select 1', 42)");
        assertThat(database.query(WEB, "select timers.cancel(" + id + ")")).isEqualTo("f");
        assertThat(database.query(WEB, "select timers.cancel(" + id + ", 42)")).isEqualTo("t");
    }

    @Test
    void fireRunsInTheCallersSessionAndTransaction() {
        long good = database.schedule(WEB, "1 day", "insert into ledger (n) values (current_setting('my.n')::int)");
        long bad = database.schedule(WEB, "1 day", "select 1/0");
        assertThat(database.query(WEB, "select timers.fire(" + bad + ")")).isEqualTo("f");
        database.execute(WEB, "begin; set my.n = 5; select timers.fire(" + good + "); rollback");
        assertThat(database.status(good)).isZero();
        database.execute(WEB, "set my.n = 5; select timers.fire(" + good + ")");
        assertThat(database.status(good)).isEqualTo(1);
        assertThat(database.status(bad)).isEqualTo(2);
        assertThat(database.column("sqlstate", bad)).isEqualTo("22012");
        assertThat(database.query(ADMIN, "select who || n from ledger")).isEqualTo("web5");
        assertThat(database.query(WEB, "select timers.fire(" + good + ")")).isEqualTo("f");
    }

    @Test
    void fireAllPendingFiresTheCallersOwn() {
        database.schedule(WEB, "1 day", "insert into ledger (n) values (1)");
        database.schedule(WEB, "2 days", "selec");
        database.schedule(WEB, "3 days", "insert into ledger (n) values (3)");
        long eves = database.schedule(EVE, "1 day", "insert into ledger (n) values (4)");
        assertThat(database.query(WEB, "select timers.fire_all_pending()")).isEqualTo("3");
        assertThat(database.query(WEB, "select timers.fire_all_pending()")).isEqualTo("0");
        assertThat(database.rows(ADMIN, "select n from ledger order by n")).containsExactly("1", "3");
        assertThat(database.query(ADMIN, "select timers.fire_all_pending()")).isEqualTo("0");
        assertThat(database.status(eves)).isZero();
    }

    @Test
    void adminDoesNotRunTheCodeOfOthersButMakesItDueAtOnce() {
        long eves = database.schedule(EVE, "1 day", "insert into ledger (n) values (1)");
        assertThat(database.query(ADMIN, "select timers.fire(" + eves + ")")).isEqualTo("t");
        assertThat(database.status(eves)).isZero();
        assertThat(database.column("fire_at <= now()", eves)).isEqualTo("t");
    }

    @Test
    void actionsNeverRunWithTheRightsOfADefiner() {
        database.execute(ADMIN, """
                create or replace function fire_as_admin() returns int language sql security definer
                  as $$ select timers.fire_all_pending() $$;
                """);
        long eves = database.schedule(EVE, "1 day", "alter role eve superuser");
        assertThatThrownBy(() -> database.execute(EVE, "select fire_as_admin()"))
                .hasMessageContaining("Expected to be called by role \"eve\" itself");
        assertThat(database.status(eves)).isZero();
    }

    @Test
    void pruneRemovesOldTimersInBatches() {
        database.execute(WEB, "select timers.schedule_in('1 day', 'select 1') from generate_series(1, 10)");
        database.execute(WEB, "select timers.fire_all_pending()");
        long pending = database.schedule(WEB, "1 day", "select 1");
        long cancelled = database.schedule(WEB, "1 day", "select 1");
        database.execute(WEB, "select timers.cancel(" + cancelled + ")");
        database.execute(
                ADMIN,
                "update timers.timers set fired_at = fired_at - interval '2 days', "
                        + "created_at = created_at - interval '2 days'");
        assertThat(database.query(NODE, "select timers.prune('3 days')")).isEqualTo("0");
        assertThat(database.query(NODE, "select timers.prune('1 day', 4)")).isEqualTo("4");
        assertThat(database.query(NODE, "select timers.prune('1 day')")).isEqualTo("7");
        assertThat(database.rows(ADMIN, "select id from timers.timers")).containsExactly(Long.toString(pending));
    }

    @Test
    void superuserDoesNotCallTheFunctionsOfAnOrdinaryRole() {
        assertThatThrownBy(() -> SqlTimerNode.builder().url(database.url(ADMIN)).open())
                .isInstanceOf(DormouseException.class)
                .hasMessageContaining("does not belong to postgres. Log in as its owner.");
    }

    @Test
    void nodeThatMayNotInstallReportsTheMissingSchema() {
        TimersDatabase empty = TimersDatabase.createEmpty();
        assertThatThrownBy(() -> empty.node().install(false).open())
                .isInstanceOf(DormouseException.class)
                .hasMessageContaining("Expected schema timers in version 2, but it is missing.");
        assertThatThrownBy(() -> SqlTimerNode.builder().url(empty.url(WEB)).open())
                .isInstanceOf(DormouseException.class)
                .hasMessageContaining("does not belong to web. Log in as its owner.");
        empty.execute(ADMIN, "drop schema timers");
        assertThatThrownBy(() -> SqlTimerNode.builder().url(empty.url(WEB)).open())
                .isInstanceOf(DormouseException.class)
                .hasMessageContaining("create schema timers authorization \"web\"");
    }
}
