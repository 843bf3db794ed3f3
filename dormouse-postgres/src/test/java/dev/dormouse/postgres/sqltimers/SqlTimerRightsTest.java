package dev.dormouse.postgres.sqltimers;

import static dev.dormouse.postgres.sqltimers.TimersDatabase.ADMIN;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.NODE;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.WEB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Roles that were granted rights by hand, and schemas of version 1. */
@Timeout(60)
class SqlTimerRightsTest {
    private static final String TYPE = "select atttypid::regtype from pg_attribute "
            + "where attrelid = 'timers.timers'::regclass and attname = 'scheduled_by'";

    @Test
    void roleWithManualGrantsIsAskedToBeEnabled() {
        TimersDatabase database = TimersDatabase.create();
        database.createRole("byhand");
        database.execute(NODE, """
                grant execute on function timers.schedule_at(timestamptz, text, bigint, int),
                  timers.schedule_in(interval, text, bigint, int) to byhand
                """);
        for (String call : new String[] {"schedule_at(now(), 'select 1')", "schedule_in('1 s', 'select 1')"}) {
            assertThatThrownBy(() -> database.query("byhand", "select timers." + call))
                    .hasMessageContaining("Expected a role for which SQL timers are enabled, but \"byhand\" is not.")
                    .hasMessageContaining("select timers.enable_role('byhand')");
        }
        database.execute(NODE, "select timers.enable_role('byhand')");
        assertThat(database.query("byhand", "select timers.schedule_in('1 h', 'select 1')"))
                .isNotEmpty();
    }

    @Test
    void roleWithManualGrantsOfOneFunctionIsAskedToBeEnabled() {
        TimersDatabase database = TimersDatabase.create();
        database.createRole("byhand");
        for (String[] call : new String[][] {
            {"fire(bigint, bigint)", "fire(1)"},
            {"fire_all_pending()", "fire_all_pending()"},
            {"schedule_in(interval, text, bigint, int)", "schedule_in('1 s', 'select 1')"},
        }) {
            database.execute(NODE, "grant execute on function timers." + call[0] + " to byhand");
            assertThatThrownBy(() -> database.query("byhand", "select timers." + call[1]))
                    .hasMessageContaining("Expected a role for which SQL timers are enabled, but \"byhand\" is not.")
                    .hasMessageContaining("select timers.enable_role('byhand')");
        }
        database.execute(NODE, "select timers.enable_role('byhand')");
        assertThat(database.query("byhand", "select timers.fire_all_pending()")).isEqualTo("0");
    }

    @Test
    void scheduledByIsANameAndVersionOneIsBroughtUpToDateWithItsTimers() {
        TimersDatabase database = TimersDatabase.create();
        assertThat(database.query(ADMIN, TYPE)).isEqualTo("name");
        long id = database.schedule(WEB, "1 h", "select 1");
        database.execute(NODE, """
                drop policy see_own on timers.timers;
                drop policy end_own on timers.timers;
                drop policy set_own on timers.timers;
                alter table timers.timers alter column scheduled_by drop default;
                alter table timers.timers alter column scheduled_by type text collate "C";
                alter table timers.timers alter column scheduled_by set default timers._scheduler();
                create policy see_own on timers.timers for select using (scheduled_by = current_user::text);
                create policy end_own on timers.timers for update using (scheduled_by = current_user::text);
                create policy set_own on timers.timers for insert with check (pg_has_role(current_user, scheduled_by::name, 'member'));
                create or replace function timers._version() returns int language sql immutable return 1;
                """);
        database.node().open().close();
        assertThat(database.query(ADMIN, TYPE)).isEqualTo("name");
        assertThat(database.query(ADMIN, "select timers._version()")).isEqualTo("2");
        assertThat(database.query(WEB, "select id from timers.timers")).isEqualTo(Long.toString(id));
        assertThat(database.query(TimersDatabase.EVE, "select count(*) from timers.timers"))
                .isEqualTo("0");
        assertThat(database.query(WEB, "select timers.cancel(" + id + ")")).isEqualTo("t");
    }
}
