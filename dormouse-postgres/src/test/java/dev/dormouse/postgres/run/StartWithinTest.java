package dev.dormouse.postgres.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.postgres.Runs;
import dev.dormouse.postgres.TestPostgres;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StartWithinTest {
    private final String schema = TestPostgres.newSchema();
    private Store store;
    private Connection user;

    @BeforeEach
    void open() throws SQLException {
        store = TestPostgres.open(schema);
        user = TestPostgres.connect();
        user.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        user.close();
        store.close();
    }

    @Test
    void runIsThereForOthersWhenTheUserHasCommitted() throws SQLException {
        Start start = Runs.pending("a", Alarm.NOW);
        assertThat(store.startWithin(user, 0, start)).isInstanceOf(StartOutcome.Started.class);
        assertThat(store.current(0, "a")).isEmpty();
        assertThat(store.claim(0, Runs.claim(10, Instant.EPOCH, Runs.LANE)).runs())
                .isEmpty();
        user.commit();
        assertThat(store.claim(0, Runs.claim(10, Instant.EPOCH, Runs.LANE)).runs())
                .singleElement()
                .satisfies(run -> assertThat(run.row().runId()).isEqualTo(start.runId()));
        assertThat(store.histories(0, List.of(start.runId()))).hasSize(1);
    }

    @Test
    void runMayBeginWithSeveralEvents() throws SQLException {
        Start one = Runs.pending("a", Alarm.NOW);
        Start start = new Start(
                one.workflowId(),
                one.runId(),
                one.type(),
                one.lane(),
                one.owner(),
                one.next(),
                Runs.events(5),
                one.replaces());
        store.startWithin(user, 0, start);
        user.commit();
        assertThat(store.current(0, "a").orElseThrow().nextSeq()).isEqualTo(5);
        assertThat(store.history(0, start.runId(), 0).orElseThrow().count()).isEqualTo(5);
    }

    @Test
    void startMayBePartOfATransactionWithACommit() throws SQLException {
        Start step = Runs.leased("stepping", 7);
        store.start(0, List.of(step));
        try (StoreTransaction transaction = store.begin(0)) {
            store.startWithin(transaction.connection(), 0, Runs.pending("a", Alarm.NOW));
            assertThat(transaction.commit(Runs.step(step))).isInstanceOf(CommitOutcome.Committed.class);
        }
        try (StoreTransaction transaction = store.begin(0)) {
            store.startWithin(transaction.connection(), 0, Runs.pending("b", Alarm.NOW));
        }
        assertThat(store.current(0, "a")).isPresent();
        assertThat(store.current(0, "b")).isEmpty();
    }

    @Test
    void takenIdIsReturnedWithTheRunThatHasIt() throws SQLException {
        Start first = Runs.pending("a", Alarm.NOW);
        store.startWithin(user, 0, first);
        StartOutcome again = store.startWithin(user, 0, Runs.pending("a", Alarm.NOW));
        assertThat(((StartOutcome.Exists) again).run().runId()).isEqualTo(first.runId());
        user.commit();
    }

    @Test
    void closedRunIsNotReplacedBecauseThatWouldLockItsRow() throws SQLException {
        Start old = Runs.leased("a", 7);
        store.start(0, List.of(old));
        store.commit(0, List.of(Runs.close(old)));
        StartOutcome outcome = store.startWithin(user, 0, Runs.pending("a", Alarm.NOW));
        assertThat(((StartOutcome.Exists) outcome).run().status()).isEqualTo(RunStatus.COMPLETED);
        user.commit();
    }

    @Test
    void openTransactionHoldsNoLockThatOtherSessionsNeed() throws SQLException {
        Start held = Runs.leased("held", 7);
        store.start(0, List.of(held));
        store.startWithin(user, 0, Runs.pending("a", Alarm.NOW));
        store.startWithin(user, 0, Runs.pending("held", Alarm.NOW));
        assertThat(store.commit(0, List.of(Runs.step(held)))).hasOnlyElementsOfType(CommitOutcome.Committed.class);
        assertThat(store.start(0, List.of(Runs.leased("b", 7)))).hasOnlyElementsOfType(StartOutcome.Started.class);
        user.rollback();
    }

    @Test
    void usersConnectionStaysAsItWas() throws SQLException {
        try (Statement statement = user.createStatement()) {
            statement.execute("set search_path = ''; set local lock_timeout = '3s'");
        }
        store.startWithin(user, 0, Runs.pending("a", Alarm.NOW));
        assertThat(user.getAutoCommit()).isFalse();
        try (Statement statement = user.createStatement();
                var rows = statement.executeQuery(
                        "select current_setting('search_path'), current_setting('lock_timeout'), current_setting('jit')")) {
            rows.next();
            assertThat(List.of(rows.getString(1), rows.getString(2))).containsExactly("\"\"", "3s");
        }
        user.commit();
    }

    @Test
    void worksInStricterIsolationToo() throws SQLException {
        user.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        assertThat(store.startWithin(user, 0, Runs.pending("a", Alarm.NOW))).isInstanceOf(StartOutcome.Started.class);
        user.commit();
        assertThat(store.current(0, "a")).isPresent();
    }

    @Test
    void connectionThatCannotBeUsedSaysSo() throws SQLException {
        user.close();
        assertThatThrownBy(() -> store.startWithin(user, 0, Runs.pending("a", Alarm.NOW)))
                .isInstanceOf(StoreException.class)
                .hasMessageStartingWith("[DM20");
    }
}
