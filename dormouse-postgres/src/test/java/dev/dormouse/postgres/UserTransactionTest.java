package dev.dormouse.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Start;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.PgConnection;

/** Users' statements and a commit in one transaction: cases that are specific to PostgreSQL. */
@Timeout(120)
class UserTransactionTest {
    private final String schema = TestPostgres.newSchema();
    private final Start start = Runs.leased("a", 7);
    private Store store;

    @BeforeEach
    void open() {
        store = TestPostgres.open(schema);
        store.start(0, List.of(start));
        TestPostgres.execute(TestPostgres.engine(), "create table " + schema + ".mine (id int primary key)");
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String query(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private StoreTransaction adding(int id) throws SQLException {
        StoreTransaction transaction = store.begin(0);
        execute(transaction.connection(), "insert into " + schema + ".mine values (" + id + ")");
        return transaction;
    }

    private String stored() {
        return TestPostgres.query(
                "select coalesce(string_agg(id::text, ' ' order by id), '') from " + schema + ".mine");
    }

    private int nextSeq() {
        return store.run(0, start.runId()).orElseThrow().nextSeq();
    }

    private void assertNothingStored() {
        assertThat(stored()).isEmpty();
        assertThat(nextSeq()).isEqualTo(1);
    }

    @Test
    void lockedCommitLeavesTheTransactionOpenAsItWas() throws SQLException {
        try (Connection other = TestPostgres.connect();
                StoreTransaction transaction = adding(1)) {
            execute(transaction.connection(), "set local work_mem = '7MB'");
            other.setAutoCommit(false);
            execute(other, "select 1 from " + schema + ".run for update");
            assertThat(transaction.commit(Runs.step(start))).isEqualTo(new CommitOutcome.Locked());
            assertThat(transaction.commit(Runs.step(start))).isEqualTo(new CommitOutcome.Locked());
            assertThat(query(transaction.connection(), "show enable_seqscan")).isEqualTo("on");
            assertThat(query(transaction.connection(), "show work_mem")).isEqualTo("7MB");
            execute(transaction.connection(), "insert into " + schema + ".mine values (2)");
            other.rollback();
            assertThat(transaction.commit(Runs.step(start))).isInstanceOf(CommitOutcome.Committed.class);
        }
        assertThat(stored()).isEqualTo("1 2");
    }

    @Test
    void commitThatWaitsForALockedTableIsLockedToo() throws SQLException {
        try (Connection other = TestPostgres.connect();
                StoreTransaction transaction = adding(1)) {
            other.setAutoCommit(false);
            execute(other, "lock table " + schema + ".history in exclusive mode");
            assertThat(transaction.commit(Runs.step(start))).isEqualTo(new CommitOutcome.Locked());
            other.rollback();
            execute(transaction.connection(), "insert into " + schema + ".mine values (2)");
            assertThat(transaction.commit(Runs.step(start))).isInstanceOf(CommitOutcome.Committed.class);
        }
        assertThat(stored()).isEqualTo("1 2");
    }

    @Test
    void runIsNotLockedWhileTheUserTakesLong() throws SQLException {
        try (StoreTransaction transaction = adding(1)) {
            assertThat(store.commit(0, List.of(Runs.step(start))).get(0)).isInstanceOf(CommitOutcome.Committed.class);
            assertThat(transaction.commit(Runs.step(start))).isEqualTo(new CommitOutcome.Fenced());
        }
        assertThat(stored()).isEmpty();
    }

    @Test
    void usersStatementsHavePlansAndNamesOfTheirOwn() throws SQLException {
        try (Connection plain = TestPostgres.connect();
                StoreTransaction transaction = store.begin(0)) {
            for (String setting : List.of(
                    "enable_seqscan",
                    "enable_hashjoin",
                    "enable_mergejoin",
                    "enable_bitmapscan",
                    "plan_cache_mode",
                    "cpu_index_tuple_cost",
                    "jit",
                    "work_mem",
                    "search_path",
                    "lock_timeout",
                    "timezone")) {
                assertThat(query(transaction.connection(), "show " + setting))
                        .as(setting)
                        .isEqualTo(query(plain, "show " + setting));
            }
            assertThat(query(transaction.connection(), "show transaction_isolation"))
                    .isEqualTo("read committed");
            assertThat(query(transaction.connection(), "show application_name")).isEqualTo("dormouse");
            assertThat(query(transaction.connection(), "show idle_in_transaction_session_timeout"))
                    .isEqualTo("1min");
            assertThat(query(transaction.connection(), "show statement_timeout"))
                    .isEqualTo("5min");
            assertThat(query(transaction.connection(), "show tcp_keepalives_idle"))
                    .isEqualTo("10");
        }
    }

    @Test
    void nothingThatAUserLeavesInTheSessionReachesTheNext() throws SQLException {
        String backend;
        try (StoreTransaction transaction = adding(1)) {
            Connection connection = transaction.connection();
            backend = query(connection, "select pg_backend_pid()");
            execute(connection, "set search_path = " + schema);
            execute(connection, "set work_mem = '9MB'");
            execute(connection, "create temporary table scratch (x int)");
            execute(connection, "select pg_advisory_lock(42)");
            execute(connection, "prepare p as select 1");
            execute(connection, "listen gossip");
            execute(connection, "declare c cursor with hold for select 1");
            connection.setNetworkTimeout(Runnable::run, 1_234);
            assertThat(transaction.commit(Runs.step(start))).isInstanceOf(CommitOutcome.Committed.class);
        }
        try (StoreTransaction transaction = store.begin(0)) {
            Connection connection = transaction.connection();
            assertThat(query(connection, "select pg_backend_pid()")).isEqualTo(backend);
            assertThat(query(connection, "show search_path")).isEqualTo("\"$user\", public");
            assertThat(query(connection, "show work_mem")).isEqualTo("4MB");
            assertThat(query(connection, "select to_regclass('pg_temp.scratch')"))
                    .isNull();
            assertThat(query(connection, "select count(*) from pg_locks where locktype = 'advisory'"))
                    .isEqualTo("0");
            assertThat(query(connection, "select count(*) from pg_prepared_statements where name = 'p'"))
                    .isEqualTo("0");
            assertThat(query(connection, "select count(*) from pg_listening_channels()"))
                    .isEqualTo("0");
            assertThat(query(connection, "select count(*) from pg_cursors where name = 'c'"))
                    .isEqualTo("0");
            assertThat(connection.getNetworkTimeout()).isEqualTo(360_000);
        }
    }

    @Test
    void enginesOwnConnectionsAreNotTakenAndMoreTransactionsThanThereIsRoomForHaveToWait() throws SQLException {
        List<StoreTransaction> open = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            open.add(adding(i));
        }
        assertThatThrownBy(() -> store.begin(0))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
        assertThat(store.commit(0, List.of(Runs.step(start))).get(0)).isInstanceOf(CommitOutcome.Committed.class);
        open.forEach(StoreTransaction::close);
        adding(9).close();
        assertThat(stored()).isEmpty();
    }

    @Test
    void connectionThatIsKilledInTheMiddleLeavesNothing() throws SQLException {
        for (boolean commits : new boolean[] {true, false}) {
            try (StoreTransaction transaction = adding(1)) {
                TestPostgres.query("select pg_terminate_backend("
                        + query(transaction.connection(), "select pg_backend_pid()") + ", 5000)");
                if (commits) {
                    assertThat(transaction.commit(Runs.step(start))).isInstanceOf(CommitOutcome.Unknown.class);
                } else {
                    assertThatThrownBy(() -> execute(transaction.connection(), "select 1"))
                            .isInstanceOf(SQLException.class);
                }
            }
            assertNothingStored();
        }
        try (StoreTransaction transaction = adding(1)) {
            assertThat(transaction.commit(Runs.step(start))).isInstanceOf(CommitOutcome.Committed.class);
        }
        assertThat(stored()).isEqualTo("1");
    }

    @Test
    void failedStatementThatTheUserHidesIsARefusalAndNotASilentRollback() throws SQLException {
        try (StoreTransaction transaction = adding(1)) {
            assertThatThrownBy(() -> execute(transaction.connection(), "select 1 / 0"))
                    .isInstanceOf(SQLException.class);
            CommitOutcome outcome = transaction.commit(Runs.step(start));
            assertThat(((CommitOutcome.Rejected) outcome).reason().code()).isEqualTo(ErrorCode.NOT_ALLOWED_HERE);
        }
        assertNothingStored();
    }

    @Test
    void deferredConstraintThatDoesNotHoldIsARefusal() throws SQLException {
        TestPostgres.execute(
                TestPostgres.engine(),
                "create table " + schema + ".child (id int references " + schema
                        + ".mine deferrable initially deferred)");
        try (StoreTransaction transaction = store.begin(0)) {
            execute(transaction.connection(), "insert into " + schema + ".child values (1)");
            assertThat(transaction.commit(Runs.step(start))).isInstanceOf(CommitOutcome.Rejected.class);
        }
        assertNothingStored();
    }

    @Test
    void driversOwnInterfaceIsGuardedAndItsClassRefused() throws SQLException {
        try (StoreTransaction transaction = adding(1)) {
            PGConnection driver = transaction.connection().unwrap(PGConnection.class);
            assertThat(driver.getBackendPID()).isPositive();
            assertThat(driver.getCopyAPI()).isNotNull();
            assertThatThrownBy(() -> ((Connection) driver).commit()).isInstanceOf(DormouseException.class);
            assertThatThrownBy(() -> transaction.connection().unwrap(PgConnection.class))
                    .isInstanceOf(DormouseException.class);
        }
        assertNothingStored();
    }

    @Test
    void usersPoolGetsItsConnectionsBackAsTheyWere() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(TestPostgres.engine());
        config.setMaximumPoolSize(8);
        config.setAutoCommit(false);
        config.setReadOnly(true);
        config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
        config.setConnectionInitSql("set lock_timeout = '7s'; set statement_timeout = '9s'; set enable_seqscan = off; "
                + "set search_path = " + schema);
        config.setIsolateInternalQueries(true);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            try (Store over = TestPostgres.open(schema, pool)) {
                try (StoreTransaction transaction = over.begin(0)) {
                    Connection connection = transaction.connection();
                    execute(connection, "insert into mine values (1)");
                    assertThat(query(connection, "show lock_timeout")).isEqualTo("7s");
                    assertThat(query(connection, "show statement_timeout")).isEqualTo("9s");
                    assertThat(query(connection, "show transaction_isolation")).isEqualTo("read committed");
                    assertThat(transaction.commit(Runs.step(start))).isInstanceOf(CommitOutcome.Committed.class);
                }
                over.begin(0).close();
            }
            assertThat(stored()).isEqualTo("1");
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.getAutoCommit()).isFalse();
                assertThat(connection.isReadOnly()).isTrue();
                assertThat(connection.getNetworkTimeout()).isZero();
                assertThat(query(connection, "show transaction_isolation")).isEqualTo("repeatable read");
                assertThat(query(connection, "show statement_timeout")).isEqualTo("9s");
                assertThat(query(connection, "show idle_in_transaction_session_timeout"))
                        .isEqualTo("0");
                assertThat(query(connection, "show enable_hashjoin")).isEqualTo("on");
                assertThat(query(connection, "show search_path")).isEqualTo(schema);
                connection.rollback();
            }
        }
    }
}
