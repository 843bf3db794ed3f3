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
 * A guard against runs that kill their process. It finds such a run among the runs that were in memory when the
 * process died, without delaying the others.
 *
 * <p>When a node dies, its runs keep their leases until the leases expire. Then any other node claims them, and this
 * class decides whether each may start ({@link Probation} commits the decision).
 *
 * <p><b>Probation.</b> A run that a dead node held is marked in its row before its code starts again. It is on
 * probation until its lease is renewed for the first time, it commits an event, or it leaves memory. If its node dies
 * meanwhile, the run gets a strike. A run that was claimed but never started, or that has passed its probation, gets
 * none. So only runs that executed shortly before the death get strikes.
 *
 * <p><b>Narrowing.</b> Runs without strikes start at once, however many there are. With one strike, half of what fits
 * on the node may be on probation at the same time, and a quarter of that with each further strike. In its last
 * attempt a run is alone. An innocent run therefore gets strikes only while it shares its probation with the deadly
 * run, and executes within a few renewals. The deadly run gets a strike each time and is stuck after {@code
 * maxTakeovers} of them. Retries of such a stuck run come at increasing intervals.
 *
 * <p><b>Long fuses.</b> A run that kills its process only after it has passed its probation gets no strikes. It is
 * stuck after twice as many takeovers in a row, and is then also retried at increasing intervals.
 *
 * <p>Runs wait here for their turn in memory for a short while, then as rows with an alarm. So they never occupy much
 * of the node's capacity.
 *
 * <p><b>Threads.</b> Thread-safe; {@link #judge} blocks. The counts cover this node only: runs on probation on other
 * nodes are not considered. A run that is turned away needlessly loses only time, because it is offered again after a
 * delay.
 */
public final class CrashLoopGuard {
    /** The number of takeovers that are allowed per allowed strike. */
    private static final int TAKEOVERS_PER_STRIKE = 2;

    /** The divisor for the share of a node's capacity that runs may occupy while they wait for their turn. */
    private static final int WAITING_SHARE = 8;

    /** The decision about a run that a dead node held. */
    sealed interface Verdict {
        /** The run may start now, on probation. */
        record Begin() implements Verdict {}

        /** The run is offered to all nodes again after {@code delay}. */
        record Later(Duration delay) implements Verdict {}

        /** The run is stuck and is retried after {@code delay}. */
        record Stuck(Duration delay) implements Verdict {}
    }

    /** A run that waits for its turn until its gate opens; {@code maxTogether} includes itself. */
    private record Waiting(LocalRun run, int maxTogether, Gate gate) {}

    private final Threads threads;
    private final IdGenerator ids;
    private final EngineSettings settings;
    private final Duration window;
    private final Map<UUID, Integer> onProbation = new HashMap<>();
    private final List<Waiting> line = new ArrayList<>();
    private int turnedAway;

    /** @param window the approximate duration of a probation */
    public CrashLoopGuard(Threads threads, IdGenerator ids, EngineSettings settings, Duration window) {
        this.threads = threads;
        this.ids = ids;
        this.settings = settings;
        this.window = window;
    }

    /** Decides about a run with takeovers. Waits up to two windows for its turn. */
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
        return awaitTurn(run, maxTogether(row.strikes()));
    }

    /** Ends the probation of a run that left memory or whose row is no longer marked. Lets waiting runs start. */
    public void release(UUID runId) {
        List<Waiting> next;
        synchronized (this) {
            onProbation.remove(runId);
            next = takeNext();
        }
        next.forEach(waiting -> waiting.gate().open());
    }

    /** Removes a waiting run that was asked to leave memory, and opens its gate. */
    void abandon(LocalRun run) {
        List<Waiting> gone;
        synchronized (this) {
            gone = line.stream().filter(waiting -> waiting.run() == run).toList();
            line.removeAll(gone);
        }
        gone.forEach(waiting -> waiting.gate().open());
    }

    /** Returns by how many deaths the run exceeds its limit; negative if it has not reached the limit. */
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

    /** Returns how many runs may be on probation together with a run of {@code strikes}, itself included. */
    private int maxTogether(int strikes) {
        boolean isLastAttempt = strikes >= settings.maxTakeovers() - 1;
        int halvings = Math.min(2 * strikes - 1, Integer.SIZE - 1);
        return isLastAttempt ? 1 : Math.max(1, settings.maxExecuting() >> halvings);
    }

    private Verdict awaitTurn(LocalRun run, int maxTogether) {
        Waiting waiting = new Waiting(run, maxTogether, threads.newGate());
        synchronized (this) {
            if (hasRoom(maxTogether)) {
                enter(waiting);
                return new Verdict.Begin();
            }
            if (run.isLeaving() || line.size() >= settings.maxExecuting() / WAITING_SHARE) {
                return turnAway(maxTogether);
            }
            line.add(waiting);
        }
        waiting.gate().pass(window.multipliedBy(2));
        synchronized (this) {
            line.remove(waiting);
            return onProbation.containsKey(run.runId()) ? new Verdict.Begin() : turnAway(maxTogether);
        }
    }

    private boolean hasRoom(int maxTogether) {
        int smallest = onProbation.values().stream().reduce(maxTogether, Math::min);
        return onProbation.size() < smallest;
    }

    private void enter(Waiting waiting) {
        onProbation.put(waiting.run().runId(), waiting.maxTogether());
        turnedAway = Math.max(0, turnedAway - 1);
    }

    /**
     * Admits waiting runs, fewest strikes first: they are the most likely to be innocent, and most of them fit at
     * once.
     */
    private List<Waiting> takeNext() {
        line.sort(Comparator.comparingInt(Waiting::maxTogether).reversed());
        List<Waiting> next = new ArrayList<>();
        while (!line.isEmpty() && hasRoom(line.get(0).maxTogether())) {
            Waiting first = line.remove(0);
            enter(first);
            next.add(first);
        }
        return next;
    }

    /**
     * Returns a delay that grows with the number of runs turned away, so that they do not all return at the same time
     * and are turned away again.
     */
    private Verdict turnAway(int maxTogether) {
        turnedAway++;
        Duration delay = window.multipliedBy(1L + turnedAway / maxTogether);
        Duration longest = settings.stuckRetry();
        return new Verdict.Later(spread(delay.compareTo(longest) < 0 ? delay : longest));
    }

    /**
     * Returns a random duration between 0.5 and 1.5 times {@code delay}, so that runs that died together return
     * apart.
     */
    private Duration spread(Duration delay) {
        return Duration.ofNanos((long) (delay.toNanos() * (0.5 + ids.fraction())));
    }
}
