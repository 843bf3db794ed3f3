package dev.dormouse.postgres.sqltimers;

import static dev.dormouse.postgres.sqltimers.TimersDatabase.ADMIN;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** State that one action leaves behind is not visible to other actions, not even of the same role in the same batch. */
@Timeout(60)
class SqlTimerIsolationTest {
    private static TimersDatabase database;
    private static SqlTimerNode node;

    @BeforeAll
    static void open() {
        database = TimersDatabase.create();
        database.execute(ADMIN, """
                create sequence counter;
                create function last_value_here() returns bigint language plpgsql as $$
                  begin return lastval(); exception when object_not_in_prerequisite_state then return null; end $$;
                grant all on counter to web;
                create role app;
                grant app to web;
                create table seen (what text, batch bigint default txid_current());
                grant all on seen to web, app;
                """);
        node = database.node().open();
    }

    @AfterAll
    static void close() {
        node.close();
        database.execute(ADMIN, "drop owned by app; drop role app");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "set my.own = 'left'                              | current_setting('my.own', true)",
                "set search_path = timers                         | nullif(current_setting('search_path'), '\"$user\", public')",
                "set local work_mem = '77MB'                      | nullif(current_setting('work_mem'), '4MB')",
                "set role app                                     | nullif(current_user, 'web')",
                "set timezone = 'Asia/Tokyo'                      | nullif(current_setting('timezone'), (select reset_val from pg_settings where name = 'TimeZone'))",
                "create temp table left_over (n int)              | to_regclass('pg_temp.left_over')::text",
                "create function pg_temp.f() returns int language sql as 'select 1' | (select string_agg(proname, '') from pg_proc where pronamespace = pg_my_temp_schema())",
                "prepare left_over as select 1                    | (select string_agg(name, '') from pg_prepared_statements)",
                "declare c cursor with hold for select 1          | (select string_agg(name, '') from pg_cursors where is_holdable)",
                "declare c cursor for select 1                    | (select string_agg(name, '') from pg_cursors where name = 'c')",
                "select pg_advisory_lock(12345)                   | (select string_agg(objid::text, '') from pg_locks where locktype = 'advisory' and objid = 12345)",
                "listen left_over                                 | (select string_agg(c, '') from pg_listening_channels() c)",
                "select nextval('counter')                        | last_value_here()",
                "set transaction read only                        | nullif(current_setting('transaction_read_only'), 'off')",
            })
    void nothingIsLeft(String leave, String look) {
        database.execute(ADMIN, "truncate seen");
        String note = "insert into public.seen select 'end of first'";
        String first = leave.startsWith("set transaction") || leave.startsWith("set role app")
                ? "insert into public.seen select 'end of first'; " + leave
                : leave + "; " + note;
        String next =
                "insert into public.seen select coalesce('found ' || nullif((" + look + ")::text, ''), 'nothing')";
        database.execute(ADMIN, "truncate timers.timers");
        together(first, next);
        database.awaitQuery("select count(*) from timers.timers where status = 0", "0");
        assertThat(database.rows(ADMIN, "select error from timers.timers where status = 2"))
                .isEmpty();
        assertThat(database.rows(ADMIN, "select what from seen where what <> 'end of first'"))
                .containsExactly("nothing");
        long later = database.schedule(WEB, "0", next); // on the same connection
        database.awaitStatus(later, 1);
        assertThat(database.rows(ADMIN, "select distinct what from seen where what <> 'end of first'"))
                .containsExactly("nothing");
        assertThat(database.query(ADMIN, "select count(*) from seen where batch = (select min(batch) from seen)"))
                .as("both in one batch")
                .isEqualTo("2");
    }

    /** At the same instant, so that one batch takes both. */
    private static void together(String first, String next) {
        database.execute(
                WEB,
                "begin; select timers.schedule_in('0', $a$" + first + "$a$); select timers.schedule_in('0', $a$" + next
                        + "$a$); commit");
    }
}
