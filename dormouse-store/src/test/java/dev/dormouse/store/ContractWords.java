package dev.dormouse.store;

import static dev.dormouse.store.Samples.LEASE;
import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.leased;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** The vocabulary of the contract tests. */
interface ContractWords {
    Store store();

    /** Returns another node's handle to the same database. */
    Store peer();

    /** Returns a table of the user. */
    UserRows userRows();

    /** Advances the store's clock by at least {@code time}. Thread-safe. */
    void passTime(Duration time);

    default Instant now() {
        return store().renew(SHARD, List.of(), LEASE).now();
    }

    default void tick() {
        passTime(Duration.ofMillis(1));
    }

    default StartOutcome start(Start start) {
        return store().start(SHARD, List.of(start)).get(0);
    }

    /** Starts a run that this node holds. */
    default Held held(String workflowId) {
        Start start = leased(workflowId);
        assertThat(start(start)).isInstanceOf(StartOutcome.Started.class);
        return Held.of(row(start.runId()));
    }

    /** Starts a run and returns its id. */
    default UUID started(Start start) {
        assertThat(start(start)).isInstanceOf(StartOutcome.Started.class);
        return start.runId();
    }

    /** Starts a run and closes it immediately. */
    default Held closed(String workflowId, RunStatus status) {
        Held held = held(workflowId);
        Commit close = held.commit(Samples.events(1), NextState.closed(status));
        committed(close);
        return held.after(close);
    }

    default CommitOutcome commit(Commit commit) {
        return store().commit(SHARD, List.of(commit)).get(0);
    }

    default CommitOutcome.Committed committed(Commit commit) {
        CommitOutcome outcome = commit(commit);
        assertThat(outcome).isInstanceOf(CommitOutcome.Committed.class);
        return (CommitOutcome.Committed) outcome;
    }

    default void assertFenced(Commit commit) {
        RunRow before = store().run(SHARD, commit.runId()).orElse(null);
        List<HistoryRow> history = history(commit.runId());
        assertThat(commit(commit)).isEqualTo(new CommitOutcome.Fenced());
        assertThat(store().run(SHARD, commit.runId()).orElse(null)).isEqualTo(before);
        assertThat(history(commit.runId())).usingRecursiveComparison().isEqualTo(history);
    }

    default DeliverOutcome deliver(Delivery delivery) {
        return store().deliver(SHARD, List.of(delivery), LEASE).get(0);
    }

    default DeliverOutcome.Accepted accepted(Delivery delivery) {
        DeliverOutcome outcome = deliver(delivery);
        assertThat(outcome).isInstanceOf(DeliverOutcome.Accepted.class);
        return (DeliverOutcome.Accepted) outcome;
    }

    default List<Claimed.Run> claim(int limit) {
        return store().claim(SHARD, Samples.claim(limit)).runs();
    }

    default List<UUID> idsOf(Claimed claimed) {
        return claimed.runs().stream().map(run -> run.row().runId()).toList();
    }

    default RunRow row(UUID runId) {
        return store().run(SHARD, runId).orElseThrow();
    }

    default Map<UUID, RunRow> rows(List<UUID> runIds) {
        return store().runs(SHARD, runIds).stream().collect(Collectors.toMap(RunRow::runId, row -> row));
    }

    default List<HistoryRow> history(UUID runId) {
        return store().histories(SHARD, List.of(runId));
    }

    default List<InboxMessage> mail(String workflowId) {
        return store().mail(SHARD, workflowId, 0, 1_000_000);
    }
}
