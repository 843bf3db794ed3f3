package dev.dormouse.support;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.event.Note;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.HistoryAppend;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.OutboxPage;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import dev.dormouse.testing.memory.MemoryStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An in-memory store whose histories can be damaged and restored, and whose commits can be made to fail. */
public final class TamperedStore extends MemoryStore {
    /** Wraps the transactions of user statements; null: transactions work normally. */
    @Nullable
    public UnaryOperator<StoreTransaction> transactions;

    private static final long ANY_LEASE = 1;

    /** Selects the commits that the store rejects; an append is a commit of a run that keeps executing. Default: none. */
    public Predicate<Commit> refused = commit -> false;

    /** Returns the error with which a commit fails, or null if it does not fail. Default: no failures. */
    public Function<Commit, @Nullable ErrorCode> failing = commit -> null;

    /** Called when the first event of a run is read. */
    public Runnable onFirstEvent = () -> {};

    /** Called when messages are delivered. */
    public Runnable onDelivered = () -> {};

    /** Called when a batch of runs is started. */
    public Runnable onStart = () -> {};

    /** Called when the latest run of a workflow id is looked up. */
    public Runnable onCurrent = () -> {};

    /** Called before any page of an outbox except the first is read. */
    public Runnable onNextPage = () -> {};

    private final Map<UUID, UnaryOperator<List<HistoryRow>>> damages = new HashMap<>();
    private int noted;

    public TamperedStore(InstantSource clock, int shards) {
        super(clock, shards);
    }

    @Override
    public List<StartOutcome> start(int shard, List<Start> batch) {
        onStart.run();
        return super.start(shard, batch);
    }

    @Override
    public Optional<RunRow> current(int shard, String workflowId) {
        onCurrent.run();
        return super.current(shard, workflowId);
    }

    public void damage(UUID runId, UnaryOperator<List<HistoryRow>> damage) {
        damages.put(runId, damage);
    }

    public void restore(UUID runId) {
        damages.remove(runId);
    }

    /** Returns a copy of a row in which one bit of the payload is inverted. */
    public static HistoryRow flip(HistoryRow row, int bit) {
        byte[] payload = row.payload().clone();
        payload[bit / 8] ^= (byte) (1 << bit % 8);
        return new HistoryRow(row.runId(), row.seq(), row.count(), row.at(), row.checksum(), payload);
    }

    /** Returns how often notes of attempts were written. */
    public int noted() {
        return noted;
    }

    @Override
    public synchronized void note(int shard, List<Note> notes) {
        noted++;
        super.note(shard, notes);
    }

    @Override
    public synchronized List<CommitOutcome> commit(int shard, List<Commit> batch) {
        List<CommitOutcome> outcomes = new ArrayList<>();
        for (Commit commit : batch) {
            CommitOutcome refusal = refusal(commit);
            outcomes.add(refusal == null ? super.commit(shard, List.of(commit)).get(0) : refusal);
        }
        return outcomes;
    }

    @Override
    public synchronized List<CommitOutcome> append(int shard, List<HistoryAppend> batch) {
        return batch.stream().map(entry -> append(shard, entry)).toList();
    }

    private CommitOutcome append(int shard, HistoryAppend entry) {
        CommitOutcome refusal = refusal(new Commit(
                entry.runId(),
                Fence.of(ANY_LEASE, entry.seq()),
                entry.append(),
                0,
                NextState.running(ANY_LEASE),
                List.of()));
        return refusal == null ? super.append(shard, List.of(entry)).get(0) : refusal;
    }

    private @Nullable CommitOutcome refusal(Commit commit) {
        ErrorCode failure = failing.apply(commit);
        if (failure != null) {
            return new CommitOutcome.Unknown(
                    new StoreException(failure, "Expected an answer, but this commit always fails.", null));
        }
        return refused.test(commit)
                ? new CommitOutcome.Rejected(new StoreException(
                        ErrorCode.STORE_FAILED, "Expected something else, but this is refused.", null))
                : null;
    }

    @Override
    public synchronized Optional<HistoryRow> history(int shard, UUID runId, int seq) {
        onFirstEvent.run();
        return super.history(shard, runId, seq);
    }

    @Override
    public synchronized List<DeliverOutcome> deliver(int shard, List<Delivery> batch, Duration leasePeriod) {
        onDelivered.run();
        return super.deliver(shard, batch, leasePeriod);
    }

    @Override
    public synchronized OutboxPage outbox(int shard, Optional<String> page, int limit) {
        if (page.isPresent()) {
            onNextPage.run();
        }
        return super.outbox(shard, page, limit);
    }

    @Override
    public StoreTransaction begin(int shard) {
        StoreTransaction begun = super.begin(shard);
        return transactions == null ? begun : transactions.apply(begun);
    }

    @Override
    public synchronized List<HistoryRow> histories(int shard, List<UUID> runIds) {
        List<HistoryRow> rows = new ArrayList<>();
        for (UUID runId : runIds) {
            List<HistoryRow> whole = super.histories(shard, List.of(runId));
            rows.addAll(damages.getOrDefault(runId, same -> same).apply(new ArrayList<>(whole)));
        }
        return rows;
    }
}
