package dev.dormouse.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** A node whose role has settings that change what statements mean, and functions in its way. */
@Timeout(60)
class OddRoleTest {
    private static final String ROLE = "odd_node";
    private static final int RUNS = 30;

    @BeforeEach
    void createRole() {
        admin("create role odd_node login nosuperuser password 'secret'");
        admin("create schema odd_node authorization odd_node");
        admin("create schema evil authorization odd_node");
        admin("create table odd_node.rows (n text)");
        admin("alter table odd_node.rows owner to odd_node");
        for (String setting : List.of(
                "datestyle = 'German, DMY'",
                "intervalstyle = 'sql_standard'",
                "timezone = 'Pacific/Kiritimati'",
                "standard_conforming_strings = off",
                "backslash_quote = off",
                "bytea_output = 'escape'",
                "extra_float_digits = -15",
                "default_transaction_deferrable = on",
                "default_transaction_isolation = 'serializable'",
                "work_mem = '64kB'",
                "client_min_messages = 'debug5'",
                "transform_null_equals = on",
                "quote_all_identifiers = on",
                "enable_indexscan = off",
                "enable_bitmapscan = off",
                "plan_cache_mode = 'force_custom_plan'",
                "check_function_bodies = off",
                "xmloption = 'document'",
                "search_path = 'evil', 'pg_catalog', 'odd_node'",
                "idle_in_transaction_session_timeout = '10s'")) {
            admin("alter role odd_node set " + setting);
        }
        for (String clock : List.of("now", "clock_timestamp", "statement_timestamp", "transaction_timestamp")) {
            admin("create function evil." + clock
                    + "() returns timestamptz language sql as 'select timestamptz ''2000-01-01 00:00Z'''");
        }
        admin("create function evil.pg_notify(text, text) returns void language sql as 'select 1/0'");
        admin("create function evil.set_config(text, text, boolean) returns text language sql as 'select (1/0)::text'");
        admin("create function evil.current_setting(text) returns text language sql as 'select (1/0)::text'");
        admin("create function evil.pg_is_in_recovery() returns boolean language sql as 'select true'");
        admin("create function evil.unnest(anyarray) returns setof anyelement language sql "
                + "as 'select null where 1/0 = 1'");
        admin("grant usage on schema evil to public");
    }

    @AfterEach
    void dropRole() {
        admin("drop owned by " + ROLE + " cascade; drop schema if exists evil cascade; drop role " + ROLE);
    }

    private static void admin(String sql) {
        TestPostgres.execute(TestPostgres.admin(), sql);
    }

    private static PGSimpleDataSource source() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL(TestPostgres.url().replace("user=" + TestPostgres.ROLE, "user=" + ROLE));
        return source;
    }

    private static HikariDataSource pool(int size) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(source());
        pool.setMaximumPoolSize(size);
        return pool;
    }

    private static void useIt(HikariDataSource pool) throws Exception {
        CountDownLatch fired = new CountDownLatch(RUNS);
        try (Dormouse dormouse = Dormouse.builder()
                .store(pool)
                .schema("odd_node")
                .workflow("w", String.class, String.class, (ctx, text) -> {
                    ctx.transaction("insert", connection -> {
                        try (Statement statement = connection.createStatement()) {
                            statement.execute("insert into odd_node.rows values ('x')");
                        }
                    });
                    ctx.sleep(Duration.ofMillis(200));
                    return ctx.waitForSignal(Duration.ofSeconds(30))
                                    .orElseThrow()
                                    .value(String.class)
                            + ctx.step("s", String.class, () -> text);
                })
                .open()) {
            dormouse.timers().handle("t", String.class, text -> fired.countDown());
            List<WorkflowHandle<String>> runs = new ArrayList<>();
            for (int i = 0; i < RUNS; i++) {
                dormouse.timers().after(Duration.ofMillis(100), "t", "it's \\'" + i);
                try (Connection connection = source().getConnection()) {
                    connection.setAutoCommit(false);
                    runs.add(dormouse.within(connection).start("w", "w'\\" + i, String.class, "\\'" + i));
                    connection.commit();
                }
                runs.get(i).signal("go", "it's \\ ");
            }
            for (int i = 0; i < RUNS; i++) {
                assertThat(runs.get(i).result(Duration.ofSeconds(30))).isEqualTo("it's \\ \\'" + i);
            }
            assertThat(fired.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(runs.get(0).describe().startedAt()).isAfter(Instant.parse("2020-01-01T00:00:00Z"));
            assertThat(TestPostgres.query("select count(*) from odd_node.rows")).isEqualTo("" + RUNS);
        }
    }

    @Test
    void everythingWorksOnTheSmallestPool() throws Exception {
        try (HikariDataSource pool = pool(6)) {
            useIt(pool);
        }
    }
}
