package dev.dormouse.postgres.connect;

import static dev.dormouse.postgres.Runs.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.dormouse.postgres.Runs;
import dev.dormouse.postgres.TestPostgres;
import dev.dormouse.store.Store;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import dev.dormouse.store.run.Sweep;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/** The settings of the engine's sessions, which must not affect users' statements. */
class EngineSessionTest {

    private static String show(Connection connection, String setting) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select current_setting('" + setting + "', true)")) {
            rows.next();
            return rows.getString(1);
        }
    }

    @Test
    void sessionsHaveTimeoutsAndPlansOfTheirOwn() throws SQLException {
        try (Connection work =
                        new EngineDataSource(TestPostgres.engine(), SessionSettings.WORK, false).getConnection();
                Connection start =
                        new EngineDataSource(TestPostgres.engine(), SessionSettings.START, false).getConnection()) {
            assertThat(show(work, "application_name")).isEqualTo("dormouse");
            assertThat(show(work, "lock_timeout")).isEqualTo("50ms");
            assertThat(show(work, "statement_timeout")).isEqualTo("20s");
            assertThat(show(work, "idle_in_transaction_session_timeout")).isEqualTo("20s");
            assertThat(show(work, "tcp_keepalives_idle")).isEqualTo("10");
            assertThat(show(work, "plan_cache_mode")).isEqualTo("force_generic_plan");
            assertThat(show(work, "jit")).isEqualTo("off");
            assertThat(show(work, "enable_nestloop")).isEqualTo("on");
            assertThat(show(work, "enable_hashjoin")).isEqualTo("off");
            assertThat(show(start, "enable_nestloop")).isEqualTo("off");
            assertThat(show(start, "enable_hashjoin")).isEqualTo("on");
            assertThat(work.getNetworkTimeout()).isEqualTo(30_000);
        }
    }

    @Test
    void statementsArePreparedOnTheServerFromTheirFirstUse() throws SQLException {
        try (Connection connection =
                new EngineDataSource(TestPostgres.engine(), SessionSettings.WORK, false).getConnection()) {
            try (PreparedStatement statement = connection.prepareStatement("select 'used once'")) {
                statement.executeQuery().close();
            }
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(
                            "select count(*) from pg_prepared_statements where statement = 'select ''used once'''")) {
                rows.next();
                assertThat(rows.getInt(1)).isEqualTo(1);
            }
        }
    }

    /** Settings, autocommit, isolation and timeouts, as the user's own statements see them. */
    private static List<String> stateOf(Connection connection) throws SQLException {
        List<String> state = new ArrayList<>();
        SessionSettings.WORK.values().keySet().stream().sorted().forEach(state::add);
        for (int i = 0; i < state.size(); i++) {
            state.set(i, state.get(i) + "=" + show(connection, state.get(i)));
        }
        state.add("autocommit=" + connection.getAutoCommit());
        state.add("isolation=" + connection.getTransactionIsolation());
        state.add("network timeout=" + connection.getNetworkTimeout());
        state.add("prepare threshold=" + connection.unwrap(PGConnection.class).getPrepareThreshold());
        connection.rollback();
        return state;
    }

    private static HikariDataSource usersPool() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(TestPostgres.engine());
        config.setMaximumPoolSize(8);
        config.setAutoCommit(false);
        config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
        config.setIsolateInternalQueries(true);
        config.setConnectionInitSql("set lock_timeout = '7s'; set enable_seqscan = off; set timezone = 'Pacific/Apia'");
        return new HikariDataSource(config);
    }

    @Test
    void usersPoolGetsItsConnectionsBackAsTheyWere() throws SQLException {
        try (HikariDataSource pool = usersPool()) {
            List<String> before;
            try (Connection connection = pool.getConnection()) {
                before = stateOf(connection);
            }
            try (Store store = TestPostgres.open(TestPostgres.newSchema(), pool)) {
                useEverything(store);
            }
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            List<Connection> all = new ArrayList<>();
            for (int i = 0; i < pool.getMaximumPoolSize(); i++) {
                all.add(pool.getConnection());
                assertThat(stateOf(all.get(i))).isEqualTo(before);
            }
            for (Connection connection : all) {
                connection.close();
            }
        }
    }

    @Test
    void plainDataSourceWithoutAPoolIsEnough() {
        PGSimpleDataSource plain = TestPostgres.engine();
        plain.setPrepareThreshold(0);
        try (Store store = TestPostgres.open(TestPostgres.newSchema(), plain)) {
            useEverything(store);
        }
    }

    @Test
    void timeZoneOfTheSessionDoesNotMatter() {
        PGSimpleDataSource apia = TestPostgres.engine();
        apia.setOptions("-c timezone=Pacific/Apia -c datestyle=German,DMY -c intervalstyle=sql_standard");
        try (Store store = TestPostgres.open(TestPostgres.newSchema(), apia)) {
            Instant now = store.renew(0, List.of(), LEASE).now();
            assertThat(Duration.between(now, Instant.now())).isBetween(Duration.ofMinutes(-1), Duration.ofMinutes(1));
            Instant far = Instant.parse("9999-12-31T23:59:59.999999Z");
            store.start(0, List.of(Runs.pending("a", new Alarm.At(far))));
            assertThat(store.current(0, "a").orElseThrow().wakeAt()).isEqualTo(far);
            Instant upSince = store.sweep(0, new Sweep("n", "b", List.of(), 1)).upSince();
            assertThat(Duration.between(upSince, now)).isBetween(Duration.ZERO, Duration.ofHours(3));
        }
    }

    private static void useEverything(Store store) {
        Start start = Runs.leased("a", 7);
        assertThat(store.start(0, List.of(start))).hasOnlyElementsOfType(StartOutcome.Started.class);
        assertThat(store.commit(0, List.of(Runs.step(start)))).hasOnlyElementsOfType(CommitOutcome.Committed.class);
        assertThat(store.renew(0, List.of(), LEASE).mail()).isEmpty();
        assertThat(store.nodes(0)).isEmpty();
        store.notify(List.of());
    }
}
