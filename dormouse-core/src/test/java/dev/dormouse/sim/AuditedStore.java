package dev.dormouse.sim;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.EventCodec;
import dev.dormouse.sim.PathCounts.Path;
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
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * A sound store that checks the rules of the append protocol with each write, and counts the paths that runs take through
 * it. A violated rule is an error even if this store, which keeps all events in one table, would survive it: a store that
 * keeps some events in the run's row would not notice the conflict. Commits in a user's transaction are not checked,
 * except for the row that they write.
 */
final class AuditedStore extends MemoryStore {
    private final Set<String> inline = new HashSet<>();
    private final PathCounts counts;
    private int failovers;

    AuditedStore(SimWorld world, PathCounts counts) {
        super(world.storeClock(), 1);
        this.counts = counts;
    }

    AuditedStore(SimWorld world) {
        this(world, new PathCounts());
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

    private static boolean isSame(HistoryRow there, Append append) {
        return there.checksum() == append.checksum() && Arrays.equals(there.payload(), append.payload());
    }

    /** Returns the number of events in the history table, and throws unless their positions are contiguous. */
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
        HistoryRow there = history(shard, commit.runId(), fence.nextSeq()).orElse(null);
        boolean hasEvents = commit.append().count() > 0;
        boolean holds = row != null
                && !row.status().isClosed()
                && fence.fitsEpoch(currentEpoch())
                && fenceHolds(row, fence)
                && mailHolds(
                        row, fence); // the late copy of a pause that was refused because of a message stays refused
        boolean isTaken = holds && hasEvents && there != null && !isSame(there, commit.append());
        expect(
                !(isTaken && commit.isFromOwner()),
                "an owner's commit at a position that is taken would be kept in the run's row: " + commit + " of "
                        + row);
        CommitOutcome outcome = super.commit(shard, List.of(commit)).get(0);
        count(commit, outcome);
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

    private void count(Commit commit, CommitOutcome outcome) {
        boolean isFenced = outcome instanceof CommitOutcome.Fenced;
        if (!isFenced && !(outcome instanceof CommitOutcome.Committed)) {
            return;
        }
        Event first = commit.append().count() == 0
                ? null
                : EventCodec.decode(commit.append().payload()).get(0);
        if (first instanceof Event.TakenOver) {
            counts.add(isFenced ? Path.FENCED_TAKEOVER : Path.TAKEOVER);
        } else if (first instanceof Event.RunTerminated) {
            counts.add(isFenced ? Path.FENCED_TERMINATION : Path.TERMINATION);
        } else if (commit.isFromOwner()) {
            counts.add(isFenced ? Path.FENCED_FULL_COMMIT : Path.FULL_COMMIT);
        }
    }

    /**
     * Checks that the row of a run that leaves {@code RUNNING} counts all events. It need not while it counts takeovers,
     * because the next owner reads the whole history then.
     */
    @Override
    protected void write(RunRow before, RunRow after, Consumer<RunRow> table) {
        super.write(before, after, table);
        int end = end(after.shard(), after.runId());
        boolean mustBeExact = after.status() != RunStatus.RUNNING
                && (after.takeovers() == 0 || after.status().isClosed());
        if (after.status() != RunStatus.RUNNING && end != after.nextSeq()) {
            counts.add(Path.INEXACT_ROW);
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
        HistoryRow there = history(shard, entry.runId(), entry.seq()).orElse(null);
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
        if (!fits) {
            counts.add(Path.APPEND_OF_ANOTHER_EPOCH);
        } else if (there != null) {
            counts.add(isSame ? Path.REPEATED_APPEND : Path.CONFLICTING_APPEND);
        } else {
            counts.add(row.takeovers() > 0 ? Path.APPEND_DURING_TAKEOVER : Path.FIRST_APPEND);
        }
        return outcome;
    }

    /** Checks the rows that a claim has changed, because a queue ends a lease without a commit. */
    @Override
    public synchronized QueueClaimed claimQueued(int shard, QueueClaim claim) {
        QueueClaimed claimed = super.claimQueued(shard, claim);
        anyRun(row -> {
            boolean isExact = row.status() != RunStatus.PENDING || row.nextSeq() == end(shard, row.runId());
            expect(isExact || row.takeovers() > 0, "a row is not exact: " + row);
            return false;
        });
        return claimed;
    }

    private static void expect(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
