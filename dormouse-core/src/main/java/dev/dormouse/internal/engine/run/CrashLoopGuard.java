package dev.dormouse.internal.engine.run;

import dev.dormouse.internal.engine.context.IdGenerator;
import dev.dormouse.internal.run.EngineSettings;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Finds the run that kills its process among those that were in memory when it died, without holding up the others.
 *
 * <p><b>Probation.</b> A run that a dead node held is marked in its row before its code begins again, and is on probation
 * until its lease is renewed for the first time, it commits an event, or it leaves memory. If its node dies meanwhile, that
 * is a strike. A run that was claimed and never began, or that has outlived its probation, gets none: so strikes go to
 * those that executed shortly before the death, and not to everything that the node held.
 *
 * <p><b>Narrowing.</b> Runs without strikes begin at once, however many there are. With one strike, half of what fits on the
 * node may be on probation at the same time, and a quarter of that with each further one; in its last attempt a run is
 * alone. An innocent run therefore collects strikes only as long as it shares its probation with the deadly one, and executes
 * within a few renewals; the deadly one gets a strike each time and is stuck after {@code maxTakeovers} of them. What is
 * stuck for this reason is tried again later and later.
 *
 * <p><b>Long fuses.</b> A run that kills its process only after it has outlived its probation gets no strikes. It is stuck
 * after twice as many takeovers in a row, and tried again later and later as well.
 *
 * <p>Runs wait here for their turn in memory for a short while, then as rows with an alarm, so that they never take up
 * much of the node's room. Thread-safe; {@link #judge} blocks.
 */
public final class CrashLoopGuard {
    /** How many takeovers are allowed for each strike that is. */
    private static final int TAKEOVERS_PER_STRIKE = 2;

    /** The part of a node's room that runs may take up while they wait for their turn. */
    private static final int WAITING_PART = 8;

    /** The decision about a run that a dead node held. */
    sealed interface Verdict {
        /** It may begin now, on probation. */
        record Begin() implements Verdict {}

        /** It is offered to all nodes again after {@code delay}. */
        record Later(Duration delay) implements Verdict {}

        /** It is stuck, and tried again after {@code delay}. */
        record Stuck(Duration delay) implements Verdict {}
    }

    /** A run that waits for its turn, until its gate opens. */
    private record Waiting(LocalRun run, int company, Gate gate) {}

    private final Threads threads;
    private final IdGenerator ids;
    private final EngineSettings settings;
    private final Duration window;
    private final Map<UUID, Integer> onProbation = new HashMap<>();
    private final List<Waiting> line = new ArrayList<>();
    private int turnedAway;

    /** @param window how long a probation takes, about */
    public CrashLoopGuard(Threads threads, IdGenerator ids, EngineSettings settings, Duration window) {
        this.threads = threads;
        this.ids = ids;
        this.settings = settings;
        this.window = window;
    }

    /** Decides about a run with takeovers. Waits up to two windows for its turn to begin. */
    Verdict judge(LocalRun run, RunRow row, boolean takenOver) {
        if (takenOver && deathsTooMany(row) >= 0) {
            return new Verdict.Stuck(stuckDelay(deathsTooMany(row)));
        }
        if (takenOver && row.strikes() > 1) {
            return new Verdict.Later(spread(window.multipliedBy(row.strikes() - 1L)));
        }
        if (row.strikes() == 0) {
            return new Verdict.Begin();
        }
        return awaitTurn(run, company(row.strikes()));
    }

    /** The run has left memory, or its row says no more that it is on probation: another one may begin. */
    public void release(UUID runId) {
        List<Waiting> next;
        synchronized (this) {
            onProbation.remove(runId);
            next = takeNext();
        }
        next.forEach(waiting -> waiting.gate().open());
    }

    /** The run is to leave memory and no longer waits for its turn. */
    void abandon(LocalRun run) {
        List<Waiting> gone;
        synchronized (this) {
            gone = line.stream().filter(waiting -> waiting.run() == run).toList();
            line.removeAll(gone);
        }
        gone.forEach(waiting -> waiting.gate().open());
    }

    /** How many deaths the run has survived beyond the limit; negative if it has not reached it. */
    private long deathsTooMany(RunRow row) {
        long max = settings.maxTakeovers();
        return Math.max(row.strikes() - max, row.takeovers() - TAKEOVERS_PER_STRIKE * max);
    }

    private Duration stuckDelay(long doublings) {
        Duration longest = settings.stuckRetryAtMost();
        Duration delay = settings.stuckRetry();
        for (long i = 0; i < doublings && delay.compareTo(longest) < 0; i++) {
            delay = delay.multipliedBy(2);
        }
        return delay.compareTo(longest) < 0 ? delay : longest;
    }

    /** With how many others a run may be on probation, itself included. */
    private int company(int strikes) {
        boolean isLastAttempt = strikes >= settings.maxTakeovers() - 1;
        int halvings = Math.min(2 * strikes - 1, Integer.SIZE - 1);
        return isLastAttempt ? 1 : Math.max(1, settings.maxExecuting() >> halvings);
    }

    private Verdict awaitTurn(LocalRun run, int company) {
        Waiting waiting = new Waiting(run, company, threads.newGate());
        synchronized (this) {
            if (hasRoom(company)) {
                enter(waiting);
                return new Verdict.Begin();
            }
            if (run.isLeaving() || line.size() >= settings.maxExecuting() / WAITING_PART) {
                return turnAway(company);
            }
            line.add(waiting);
        }
        waiting.gate().pass(window.multipliedBy(2));
        synchronized (this) {
            line.remove(waiting);
            return onProbation.containsKey(run.runId()) ? new Verdict.Begin() : turnAway(company);
        }
    }

    private boolean hasRoom(int company) {
        int smallest = onProbation.values().stream().reduce(company, Math::min);
        return onProbation.size() < smallest;
    }

    private void enter(Waiting waiting) {
        onProbation.put(waiting.run().runId(), waiting.company());
        turnedAway = Math.max(0, turnedAway - 1);
    }

    /** Those with the fewest strikes first: they are the most likely to be innocent, and most of them fit in at once. */
    private List<Waiting> takeNext() {
        line.sort(Comparator.comparingInt(Waiting::company).reversed());
        List<Waiting> next = new ArrayList<>();
        while (!line.isEmpty() && hasRoom(line.get(0).company())) {
            Waiting first = line.remove(0);
            enter(first);
            next.add(first);
        }
        return next;
    }

    /** The more have been turned away, the later they come back, so that they do not all ask again in vain. */
    private Verdict turnAway(int company) {
        turnedAway++;
        Duration delay = window.multipliedBy(1L + turnedAway / company);
        Duration longest = settings.stuckRetry();
        return new Verdict.Later(spread(delay.compareTo(longest) < 0 ? delay : longest));
    }

    /** Somewhere between half and one and a half of a delay, so that those that died together do not come back together. */
    private Duration spread(Duration delay) {
        return Duration.ofNanos((long) (delay.toNanos() * (0.5 + ids.fraction())));
    }
}
