package dev.dormouse.sim;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.EventCodec;
import dev.dormouse.internal.history.History;
import dev.dormouse.store.queue.QueueClaim;
import dev.dormouse.store.queue.QueueClaimed;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.HistoryAppend;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import dev.dormouse.testing.memory.MemoryStore;
import dev.dormouse.testing.sim.SimWorld;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A sound store that checks the rules of the append protocol with each write, and counts how often its rare paths are
 * taken. A violated rule is an error even if this store, which keeps all events in one table, would survive it: a store
 * that keeps some events in the run's row would not notice the conflict.
 */
class AuditedStore extends MemoryStore {
    private final Set<String> inline = new HashSet<>();
    private final Map<String, Integer> counts;
    private int failovers;

    AuditedStore(SimWorld world, Map<String, Integer> counts) {
        super(world.storeClock(), 1);
        this.counts = counts;
    }

    AuditedStore(SimWorld world) {
        this(world, new TreeMap<>());
    }

    private void count(String what) {
        counts.merge(what, 1, Integer::sum);
    }

    @Override
    public synchronized int failOver(int transactions) {
        failovers++;
        return super.failOver(transactions);
    }

    private String currentEpoch() {
        return "epoch-" + failovers;
    }

    private static String place(UUID runId, int seq) {
        return runId + " " + seq;
    }

    private @Nullable HistoryRow at(int shard, UUID runId, int seq) {
        return history(shard, runId, seq).orElse(null);
    }

    private static boolean isSame(HistoryRow there, Append append) {
        return there.checksum() == append.checksum() && Arrays.equals(there.payload(), append.payload());
    }

    /** Returns the number of events by the rows alone. */
    private int end(int shard, UUID runId) {
        List<HistoryRow> rows = histories(shard, List.of(runId));
        int end = 0;
        for (HistoryRow row : rows) {
            expect(row.seq() == end, "gap or overlap at " + end + " of " + runId + ": " + row.seq());
            end += row.count();
        }
        return end;
    }

    @Override
    public synchronized List<StartOutcome> start(int shard, List<Start> batch) {
        List<StartOutcome> outcomes = super.start(shard, batch);
        for (int i = 0; i < batch.size(); i++) {
            if (outcomes.get(i) instanceof StartOutcome.Started) {
                inline.add(place(batch.get(i).runId(), 0));
            }
        }
        return outcomes;
    }

    @Override
    public synchronized List<CommitOutcome> commit(int shard, List<Commit> batch) {
        List<CommitOutcome> outcomes = new ArrayList<>();
        for (Commit commit : batch) {
            outcomes.add(commit(shard, commit));
        }
        return outcomes;
    }

    private CommitOutcome commit(int shard, Commit commit) {
        RunRow row = run(shard, commit.runId()).orElse(null);
        Fence fence = commit.fence();
        HistoryRow there = at(shard, commit.runId(), fence.nextSeq());
        boolean hasEvents = commit.append().count() > 0;
        boolean holds =
                row != null && !row.status().isClosed() && fence.fitsEpoch(currentEpoch()) && fenceHolds(row, fence);
        boolean isTaken = holds && hasEvents && there != null && !isSame(there, commit.append());
        expect(
                !(isTaken && commit.isFromOwner()),
                "an owner's commit at a position that is taken would be kept in the run's row: " + commit + " of "
                        + row);
        CommitOutcome outcome = super.commit(shard, List.of(commit)).get(0);
        Event first = hasEvents ? EventCodec.decode(commit.append().payload()).get(0) : null;
        String kind = first instanceof Event.TakenOver
                ? "takeover"
                : first instanceof Event.RunTerminated ? "terminate" : commit.isFromOwner() ? "full" : "other commit";
        count(kind + " " + outcome.getClass().getSimpleName() + (isTaken ? " (lost to an append)" : ""));
        if (outcome instanceof CommitOutcome.Committed && there == null && hasEvents) {
            if (commit.isFromOwner()) {
                inline.add(place(commit.runId(), fence.nextSeq()));
            } else {
                inline.remove(place(commit.runId(), fence.nextSeq()));
            }
            expect(
                    end(shard, commit.runId())
                            == fence.nextSeq() + commit.append().count(),
                    "a commit that is not at the end: " + commit);
        }
        return outcome;
    }

    /** The row of a run that leaves RUNNING is exact, unless it counts takeovers. */
    @Override
    protected void write(RunRow before, RunRow after, Consumer<RunRow> table) {
        super.write(before, after, table);
        int end = end(after.shard(), after.runId());
        boolean mustBeExact = after.status() != RunStatus.RUNNING
                && (after.takeovers() == 0 || after.status().isClosed());
        if (after.status() != RunStatus.RUNNING && end != after.nextSeq()) {
            count("row that is not exact: " + after.status());
        }
        expect(!mustBeExact || end == after.nextSeq(), "a row is not exact: " + end + " events of " + after);
    }

    @Override
    public synchronized List<CommitOutcome> append(int shard, List<HistoryAppend> batch) {
        List<CommitOutcome> outcomes = new ArrayList<>();
        for (HistoryAppend entry : batch) {
            outcomes.add(append(shard, entry));
        }
        return outcomes;
    }

    private CommitOutcome append(int shard, HistoryAppend entry) {
        HistoryRow there = at(shard, entry.runId(), entry.seq());
        boolean fits = entry.fitsEpoch(currentEpoch());
        boolean isSame = there != null && isSame(there, entry.append());
        expect(
                !(fits && there != null && !isSame && inline.contains(place(entry.runId(), entry.seq()))),
                "an append beside events that may be kept in the run's row: " + entry);
        RunRow row = run(shard, entry.runId()).orElse(null);
        if (fits && there == null) {
            expect(row != null, "an append to a run that does not exist");
            expect(end(shard, entry.runId()) == entry.seq(), "an append that leaves a gap: " + entry + " of " + row);
            expect(row.status() == RunStatus.RUNNING || row.takeovers() > 0, "an append to " + row);
            inline.remove(place(entry.runId(), entry.seq()));
        }
        CommitOutcome outcome = super.append(shard, List.of(entry)).get(0);
        count("append "
                + (!fits
                        ? "of another epoch"
                        : there == null
                                ? row.takeovers() > 0 ? "during a takeover" : "first"
                                : isSame ? "again" : "conflict"));
        return outcome;
    }

    /** A lease that a queue takes away ends without a commit: the row is not exact then. */
    @Override
    public synchronized QueueClaimed claimQueued(int shard, QueueClaim claim) {
        QueueClaimed claimed = super.claimQueued(shard, claim);
        anyRun(row -> {
            if (row.status() == RunStatus.PENDING && row.nextSeq() != end(shard, row.runId())) {
                count("row that is not exact, seen by a claim of a queue");
                expect(row.takeovers() > 0, "a row is not exact: " + row);
            }
            return false;
        });
        return claimed;
    }

    /** Returns the number of events that a reader of this row sees. */
    int seen(RunRow row) {
        return History.read(row, histories(row.shard(), List.of(row.runId()))).size();
    }

    private static void expect(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
