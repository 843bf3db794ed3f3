package dev.dormouse.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.sqlite.connect.ConnectionFactory;
import dev.dormouse.sqlite.connect.ConnectionRole;
import dev.dormouse.sqlite.connect.ConnectionSource;
import dev.dormouse.sqlite.connect.DatabaseLocation;
import dev.dormouse.sqlite.connect.FileIdentity;
import dev.dormouse.sqlite.connect.ReaderPool;
import dev.dormouse.sqlite.connect.WriteConnection;
import dev.dormouse.sqlite.run.Commits;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.event.Note;
import dev.dormouse.store.event.PastEvent;
import dev.dormouse.store.event.Question;
import dev.dormouse.store.event.Subscription;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Outgoing;
import dev.dormouse.store.run.Renewal;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.Sweep;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many statements and commits each operation costs, so that a change that adds one is noticed. */
class StatementCountTest {
    private static final int ENTRIES = 100;

    @TempDir
    Path directory;

    private final Watched watched = new Watched();
    private Store store;
    private List<Start> runs;

    @BeforeEach
    void openAndStart() {
        Path file = directory.resolve("trial.db");
        Stores.open(file).close();
        ConnectionSource source = watched.around(ConnectionFactory.toFile(file, ConnectionRole.WRITER));
        WriteConnection writer =
                new WriteConnection(source, Optional.of(source), InstantSource.system(), FileIdentity.NONE);
        store = new SqliteStore(new DatabaseLocation(Optional.of(file)), 1, writer, new ReaderPool(source), () -> {});
        runs = Sample.leased("wf-", ENTRIES);
        store.start(0, runs);
        watched.executed.clear();
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void assertCost(int statements, int transactions) {
        assertThat(watched.executed.stream().filter("begin immediate"::equals)).hasSize(transactions);
        assertThat(watched.executed.stream().filter("commit"::equals)).hasSize(transactions);
        assertThat(watched.executed).hasSize(statements + 2 * transactions);
        watched.executed.clear();
    }

    private List<Commit> all(NextState next) {
        return store.runs(0, runs.stream().map(Start::runId).toList()).stream()
                .map(row -> Sample.commit(row, Sample.event(), next))
                .toList();
    }

    @Test
    void startCostsTwoStatements() {
        store.start(0, Sample.leased("more-", ENTRIES));
        assertCost(2 * ENTRIES, 1);
    }

    @Test
    void startOfAnIdThatIsTakenCostsThreeStatements() {
        store.start(0, Sample.leased("wf-", ENTRIES));
        assertCost(3 * ENTRIES, 1);
    }

    @Test
    void commitCostsThreeStatements() {
        store.commit(0, runs.stream().map(run -> Sample.step(run, 0)).toList());
        assertCost(3 * ENTRIES, 1);
    }

    @Test
    void transactionAddsAMarkToTheCostOfACommit() {
        try (StoreTransaction transaction = store.begin(0)) {
            transaction.commit(Sample.step(runs.get(0), 0));
        }
        assertCost(3 + 2, 1);
    }

    @Test
    void noteCostsOneStatement() {
        List<Note> notes = runs.stream()
                .map(run -> new Note(run.runId(), run.next().lease(), 1, 1, new byte[10]))
                .toList();
        store.note(0, notes);
        assertCost(ENTRIES, 1);
        store.erase(0, notes);
        assertCost(ENTRIES, 1);
    }

    @Test
    void commitOfAContinuingRunChangesNoAlarmIndex() {
        store.commit(0, List.of(Sample.step(runs.get(0), 0)));
        assertThat(watched.executed).contains(Commits.GO_ON).doesNotContain(Commits.MOVE);
    }

    @Test
    void suspendCostsThreeStatementsAndOneMorePerOutboxItem() {
        List<Commit> commits = all(NextState.waiting(new Alarm.In(Duration.ofDays(1)), WakeReason.TIMER));
        watched.executed.clear();
        store.commit(0, commits);
        assertCost(3 * ENTRIES, 1);
        Start one = Sample.leased("one");
        store.start(0, List.of(one));
        watched.executed.clear();
        Outgoing item = new Outgoing(Sample.newId(), "to", 1, new byte[0]);
        store.commit(0, List.of(Sample.sending(Sample.step(one, 0), item)));
        assertCost(4, 1);
    }

    @Test
    void commitThatIsFencedCostsOneStatementOrTwo() {
        Commit other = Sample.step(Sample.leased("nobody"), 0);
        store.commit(0, List.of(other));
        assertCost(1, 1);
        Commit again = Sample.step(runs.get(0), 0);
        store.commit(0, List.of(again));
        watched.executed.clear();
        store.commit(0, List.of(again));
        assertCost(2, 1);
    }

    @Test
    void claimCostsOneStatementForEachLaneAndOneForEachRun() {
        store.claim(0, Sample.claim(10));
        assertCost(1, 1);
        store.commit(0, all(NextState.waiting(Alarm.NOW, WakeReason.TIMER)));
        watched.executed.clear();
        assertThat(store.claim(0, Sample.claim(10)).runs()).hasSize(10);
        assertCost(1 + 10, 1);
    }

    @Test
    void deliveryCostsFourStatements() {
        List<Delivery> batch =
                runs.stream().map(run -> Sample.signal(run.workflowId(), "k")).toList();
        store.deliver(0, batch, Sample.LEASE);
        assertCost(4 * ENTRIES, 1);
        store.deliver(0, batch, Sample.LEASE);
        assertCost(2 * ENTRIES, 1);
    }

    @Test
    void deliveryOfManyItemsToOneRunCostsFourStatementsEach() {
        List<Delivery> batch = IntStream.range(0, ENTRIES)
                .mapToObj(i -> Sample.signal("wf-0", "k" + i))
                .toList();
        store.deliver(0, batch, Sample.LEASE);
        assertCost(4 * ENTRIES, 1);
    }

    @Test
    void questionsCostOneStatementEach() {
        Question question = new Question(Sample.newId(), Sample.newId(), "wf-0", "order", new byte[0]);
        store.ask(0, question);
        assertCost(1, 1);
        assertThat(store.questions(0, List.of("order", "other"), 10)).hasSize(1);
        assertCost(2, 0);
        store.reply(0, question.id(), new byte[0]);
        assertCost(1, 1);
        assertThat(store.reply(0, question.id())).isPresent();
        assertCost(1, 0);
        assertThat(store.forget(0, List.of(question.id()), Sample.LEASE)).isEqualTo(1);
        assertCost(2, 1);
    }

    @Test
    void renewalCostsOneStatementForEachRun() {
        List<Renewal> renewals = runs.stream()
                .map(run -> new Renewal(run.runId(), run.next().lease()))
                .toList();
        assertThat(store.renew(0, renewals, Sample.LEASE).mail()).hasSize(ENTRIES);
        assertCost(ENTRIES, 1);
        store.renew(0, List.of(), Sample.LEASE);
        assertCost(0, 0);
    }

    @Test
    void sweepOfAnIdleNodeWritesNothing() {
        store.sweep(0, new Sweep("node-1", "build-1", List.of("order", "order~"), 100));
        assertCost(2 + 2 + 1, 0);
    }

    @Test
    void readsCostOneStatementEach() {
        RunRow row = store.current(0, "wf-0").orElseThrow();
        assertCost(1, 0);
        store.run(0, row.runId());
        assertCost(1, 0);
        store.histories(0, List.of(row.runId()));
        assertCost(1, 0);
        store.mail(0, "wf-0", 0, 10);
        assertCost(1, 0);
        store.list(0, RunFilter.ALL, Optional.empty(), 10);
        assertCost(1, 0);
        store.outbox(0, 10);
        assertCost(1, 0);
    }

    @Test
    void subscribingAndRememberingCostOneStatementForEachAndOneMore() {
        List<Subscription> subscriptions = IntStream.range(0, 10)
                .mapToObj(i -> new Subscription("wf-0", "id-" + i, "paid", "k" + i % 2, new byte[1], null))
                .toList();
        store.subscribe(0, subscriptions);
        assertCost(10 + 1, 1);
        store.subscribe(0, List.of(subscriptions.get(0)));
        assertCost(1 + 1, 1);
        assertThat(store.subscriptions(0, "paid", List.of("k0", "k1"), null, 100))
                .hasSize(10);
        assertCost(2, 0);
        store.unsubscribe(0, subscriptions);
        assertCost(10, 1);
        List<PastEvent> events = IntStream.range(0, 10)
                .mapToObj(i -> new PastEvent("paid", "id-" + i, new byte[1]))
                .toList();
        store.remember(0, events, Sample.LEASE);
        assertCost(10 + 1, 1);
        store.remember(0, List.of(events.get(0)), Sample.LEASE);
        assertCost(1 + 1, 1);
        assertThat(store.recall(0, "paid", Sample.LEASE, 10)).hasSize(10);
        assertCost(1, 0);
    }

    @Test
    void definitionsCostOneStatementEach() {
        assertThat(store.define(0, "a", 1, new byte[1])).isTrue();
        assertCost(1, 1);
        assertThat(store.definition(0, "a", 0)).isPresent();
        assertCost(1, 0);
        assertThat(store.definition(0, "a", 1)).isPresent();
        assertCost(1, 0);
        assertThat(store.definitions(0, Instant.EPOCH, null, 10)).hasSize(1);
        assertCost(1, 0);
    }

    @Test
    void purgeCostsOneStatementAndFiveForEachRun() {
        store.purge(0, Instant.now(), Optional.empty(), ENTRIES);
        assertCost(1, 1);
        store.commit(0, all(NextState.closed(RunStatus.COMPLETED)));
        watched.executed.clear();
        assertThat(store.purge(0, Instant.now().plusSeconds(1), Optional.empty(), ENTRIES)
                        .runs())
                .isEqualTo(ENTRIES);
        assertCost(1 + 5 * ENTRIES, 1);
    }

    @Test
    void emptyBatchesCostNothing() {
        store.start(0, List.of());
        store.commit(0, List.of());
        store.deliver(0, List.of(), Sample.LEASE);
        store.subscribe(0, List.of());
        store.unsubscribe(0, List.of());
        store.remember(0, List.of(), Sample.LEASE);
        assertCost(0, 0);
    }
}
