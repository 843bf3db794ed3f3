package dev.dormouse.postgres;

import static dev.dormouse.postgres.Runs.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreConfig;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.base.Notice;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.HistoryAppend;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** A role with settings that would break durability, or the engine. */
@Timeout(60)
class RoleSettingsTest {
    private static final AtomicInteger ROLES = new AtomicInteger();
    private static final int VERSION = Integer.parseInt(TestPostgres.query("show server_version_num"));

    private final String role = "odd_" + ROLES.incrementAndGet();
    private final String schema = "of_" + role;
    private final String url = TestPostgres.url().replace("user=" + TestPostgres.ROLE, "user=" + role);

    @BeforeEach
    void createRole() {
        admin("create role " + role + " login nosuperuser password 'secret'");
        admin("create schema " + schema + " authorization " + role);
    }

    @AfterEach
    void dropRole() {
        admin("drop owned by " + role + " cascade; drop role " + role);
    }

    private static void admin(String sql) {
        TestPostgres.execute(TestPostgres.admin(), sql);
    }

    private void set(String name, String value) {
        admin("alter role " + role + " set " + name + " = " + value);
    }

    private void setEverythingOdd() {
        set("synchronous_commit", "off");
        set("default_transaction_isolation", "serializable");
        set("default_transaction_read_only", "on");
        set("statement_timeout", "'200ms'");
        set("lock_timeout", "'1ms'");
        set("idle_session_timeout", "'300ms'");
        set("idle_in_transaction_session_timeout", "'200ms'");
        set("search_path", "nowhere");
        set("row_security", "off");
        set("array_nulls", "off");
        if (VERSION >= 170000) {
            set("transaction_timeout", "'200ms'");
        }
    }

    private Store open() {
        return new PostgresStoreProvider()
                .open(new StoreConfig(url, Optional.empty(), schema, 1, true, InstantSource.system()));
    }

    private PGSimpleDataSource plain() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL(url);
        return source;
    }

    /** Writes down the setting with which each transaction is committed that appends to a history. */
    private void recordCommits() {
        admin("""
                create table SCHEMA.committed (transaction bigint primary key, setting text);
                grant all on SCHEMA.committed to ROLE;
                create function SCHEMA.record() returns trigger language plpgsql as $$ begin
                  insert into SCHEMA.committed values (txid_current(), current_setting('synchronous_commit'))
                    on conflict do nothing;
                  return null; end $$;
                create constraint trigger record after insert on SCHEMA.history deferrable initially deferred
                  for each row execute function SCHEMA.record();
                create constraint trigger record after insert or update on SCHEMA.run deferrable initially deferred
                  for each row execute function SCHEMA.record()
                """.replace("SCHEMA", schema).replace("ROLE", role));
    }

    private String commits() {
        return TestPostgres.query("select string_agg(setting, ' ') from " + schema + ".committed");
    }

    private static Start startAndStep(Store store, String workflowId) {
        Start start = Runs.leased(workflowId, 7);
        assertThat(store.start(0, List.of(start))).hasOnlyElementsOfType(StartOutcome.Started.class);
        assertThat(store.commit(0, List.of(Runs.step(start)))).hasOnlyElementsOfType(CommitOutcome.Committed.class);
        return start;
    }

    private static void commitInTransaction(Store store) {
        Start start = Runs.leased("t-" + Runs.newId(), 7);
        store.start(0, List.of(start));
        try (StoreTransaction transaction = store.begin(0)) {
            assertThat(transaction.commit(Runs.step(start))).isInstanceOf(CommitOutcome.Committed.class);
        }
    }

    @Test
    void everythingWorksOnAUrl() {
        setEverythingOdd();
        try (Store store = open()) {
            startAndStep(store, "a");
            commitInTransaction(store);
            store.renew(0, List.of(), LEASE);
        }
    }

    @Test
    void everythingWorksOnAPoolWhichGetsItsConnectionsBackAsTheyWere() throws SQLException {
        setEverythingOdd();
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(plain());
            pool.setMaximumPoolSize(9);
            try (Store store = TestPostgres.open(schema, pool)) {
                startAndStep(store, "a");
                commitInTransaction(store);
                store.renew(0, List.of(), LEASE);
            }
            assertGivenBack(pool);
        }
    }

    private static void assertGivenBack(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                var rows = statement.executeQuery(
                        "select current_setting('synchronous_commit'), current_setting('row_security')")) {
            rows.next();
            assertThat(rows.getString(1) + " " + rows.getString(2)).isEqualTo("off off");
        }
    }

    @Test
    void noCommitOfTheEngineIsAsynchronous() {
        set("synchronous_commit", "off");
        try (Store store = open()) {
            recordCommits();
            Start start = startAndStep(store, "a");
            commitInTransaction(store);
            HistoryAppend append = new HistoryAppend(start.runId(), 2, Fence.ANY_EPOCH, Runs.events(1));
            assertThat(store.append(0, List.of(append))).hasOnlyElementsOfType(CommitOutcome.Committed.class);
            assertThat(commits()).isEqualTo("on on on on on");
        }
    }

    @Test
    void strongerKindsOfSynchronousCommitStay() {
        set("synchronous_commit", "local");
        try (Store store = open()) {
            recordCommits();
            startAndStep(store, "a");
            commitInTransaction(store);
            assertThat(commits()).isEqualTo("local local local local");
        }
    }

    @Test
    void usersTransactionInWhichSomethingIsStartedIsDurable() throws SQLException {
        set("synchronous_commit", "off");
        try (Store store = open();
                Connection user = DriverManager.getConnection(url)) {
            recordCommits();
            user.setAutoCommit(false);
            Start start = Runs.pending("a", Alarm.NOW);
            assertThat(store.startWithin(user, 0, start)).isInstanceOf(StartOutcome.Started.class);
            user.commit();
            NextState closed = NextState.closed(RunStatus.CANCELLED);
            assertThat(store.commitWithin(user, 0, Runs.LANE, commit(start, closed)))
                    .isInstanceOf(CommitOutcome.Committed.class);
            user.commit();
            assertThat(commits()).isEqualTo("on on");
            try (Statement statement = user.createStatement();
                    var rows = statement.executeQuery("show synchronous_commit")) {
                rows.next();
                assertThat(rows.getString(1)).as("after the transaction").isEqualTo("off");
            }
        }
    }

    private static dev.dormouse.store.run.Commit commit(Start start, NextState next) {
        return new dev.dormouse.store.run.Commit(
                start.runId(), Fence.of(start.next().lease(), 1), Runs.events(1), 0, next, List.of());
    }

    @Test
    void idleSessionsAreNotEnded() throws Exception {
        set("idle_session_timeout", "'300ms'");
        CompletableFuture<String> gap = new CompletableFuture<>();
        CompletableFuture<Notice> heard = new CompletableFuture<>();
        try (Store store = open();
                AutoCloseable listening = store.listen(heard::complete, () -> gap.complete("gap"))) {
            store.renew(0, List.of(), LEASE);
            assertThatThrownBy(() -> gap.get(1_500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            assertThat(TestPostgres.query("select min(now() - backend_start) > '1s' from pg_stat_activity "
                            + "where usename = '" + role + "' and query ilike 'listen%'"))
                    .isEqualTo("t");
        }
    }

    @Test
    void settingThatTheRoleMayNotChangeIsRefusedWithTheReason() {
        set("session_replication_role", "replica");
        assertThatThrownBy(this::open)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNSUITABLE))
                .hasMessageStartingWith("[DM2010] Expected session_replication_role = origin");
    }
}
