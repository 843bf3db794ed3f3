package dev.dormouse.internal.engine;

import dev.dormouse.inspect.StoreTrouble;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.observe.StoreWatch;
import dev.dormouse.internal.engine.run.LocalPauses;
import dev.dormouse.internal.engine.run.LocalRun;
import dev.dormouse.internal.engine.run.RunTable;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The shutdown of a node's runs: each run leaves at its next pause, or loses its lease when the grace period expires.
 *
 * <p>Used once, by the thread that closes the node. Guaranteed: a run that was stopped commits nothing more on this
 * node. Best effort: each phase of the release takes at most {@link #RELEASE_TIME}. A lease that is not released in
 * time is harmless, because another node takes the run over when the lease expires. If the store has lost its file, no
 * lease is released.
 */
final class GracefulShutdown {
    private static final Duration BETWEEN_ROUNDS = Duration.ofMillis(5);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);
    private static final Duration RELEASE_TIME = Duration.ofSeconds(5);

    private final NodeContext context;
    private final RunTable table;
    private final LocalPauses localPauses;
    private final StoreWatch storeWatch;

    GracefulShutdown(NodeContext context, RunTable table, LocalPauses localPauses, StoreWatch storeWatch) {
        this.context = context;
        this.table = table;
        this.localPauses = localPauses;
        this.storeWatch = storeWatch;
    }

    /**
     * Waits for running code to pause, up to the close grace. Then releases the remaining leases, so that other nodes
     * resume these runs at once.
     */
    void releaseRuns() {
        Gate left = context.threads().newGate();
        table.onRoom(left::open);
        table.close();
        long end =
                context.threads().nanoTime() + context.settings().closeGrace().toNanos();
        long remaining = end - context.threads().nanoTime();
        while (!table.isEmpty() && remaining > 0 && !(isStoreReplaced() && onlyCommitsAreLeft())) {
            boolean mayBeReplaced =
                    context.store().isExclusive() && !storeWatch.outages().isEmpty();
            left.pass(Duration.ofNanos(mayBeReplaced ? Math.min(remaining, BETWEEN_LOOKS.toNanos()) : remaining));
            remaining = end - context.threads().nanoTime();
        }
        if (isStoreReplaced()) {
            table.all(run -> true).forEach(LocalRun::stop);
            return;
        }
        localPauses.release(RELEASE_TIME);
        saveResults();
        awaitArrivals();
        release(table.all(run -> true));
    }

    /**
     * Returns true if the store has lost its file. It accepts no commit until it is reopened, so waiting is pointless.
     */
    private boolean isStoreReplaced() {
        return storeWatch.outages().stream().anyMatch(outage -> outage.trouble() == StoreTrouble.REPLACED);
    }

    /** Returns true if no run executes user code. User code gets its time even if its result cannot be committed. */
    private boolean onlyCommitsAreLeft() {
        return table.all(run -> !run.isCommitting() || run.isExecutingStep()).isEmpty();
    }

    /** Commits the results that were deferred, so that a step that takes too long does not discard them. */
    private void saveResults() {
        long end = context.threads().nanoTime() + RELEASE_TIME.toNanos();
        List<LocalRun> late = table.all(LocalRun::hasDeferredResults);
        while (!late.isEmpty() && context.threads().nanoTime() - end < 0) {
            late.forEach(run -> run.flush(Duration.ZERO));
            context.threads().newGate().pass(BETWEEN_ROUNDS);
            late = table.all(LocalRun::hasDeferredResults);
        }
    }

    /** Waits for starts and claims that are in progress for this node: they hold leases, which must be released too. */
    private void awaitArrivals() {
        long end = context.threads().nanoTime() + RELEASE_TIME.toNanos();
        while (table.expectsMore() && context.threads().nanoTime() - end < 0) {
            context.threads().newGate().pass(BETWEEN_ROUNDS);
        }
    }

    /** Releases leases from outside the runs. Their code may still execute steps, but commits nothing more. */
    private void release(List<LocalRun> runs) {
        runs.forEach(LocalRun::stop);
        long end = context.threads().nanoTime() + RELEASE_TIME.toNanos();
        List<LocalRun> left = runs;
        while (!left.isEmpty() && context.threads().nanoTime() - end < 0) {
            left = releaseOnce(left, Duration.ofNanos(end - context.threads().nanoTime()));
            if (!left.isEmpty()) {
                context.threads().newGate().pass(BETWEEN_ROUNDS);
            }
        }
    }

    /**
     * Releases each run once. Returns the runs whose own last commit interfered: they are released again, from their
     * new state.
     */
    private List<LocalRun> releaseOnce(List<LocalRun> runs, Duration atMost) {
        AtomicInteger onTheirWay = new AtomicInteger(1);
        Gate released = context.threads().newGate();
        List<LocalRun> again = Collections.synchronizedList(new ArrayList<>());
        for (LocalRun run : runs) {
            if (!run.seal()) {
                again.add(run); // its own commit comes first
                continue;
            }
            Commit release = run.release();
            if (release != null) {
                onTheirWay.incrementAndGet();
                context.writers(run.shard()).submit(release, outcome -> {
                    if (outcome instanceof CommitOutcome.Fenced && hasMoved(run, release)) {
                        again.add(run);
                    }
                    countDown(onTheirWay, released);
                });
            }
        }
        countDown(onTheirWay, released);
        released.pass(atMost);
        notifyNodes(runs);
        return List.copyOf(again);
    }

    /**
     * Notifies other nodes once for each lane, however many runs were released, so that they resume these runs at once.
     */
    private void notifyNodes(List<LocalRun> runs) {
        Map<Integer, Set<String>> lanes = new HashMap<>();
        runs.forEach(run ->
                lanes.computeIfAbsent(run.shard(), any -> new HashSet<>()).add(run.lane()));
        lanes.forEach((shard, names) -> names.forEach(
                lane -> context.notifyNodes(shard, lane, context.clock().latest())));
    }

    private static boolean hasMoved(LocalRun run, Commit release) {
        Commit now = run.release();
        return now != null && !now.fence().equals(release.fence());
    }

    private static void countDown(AtomicInteger left, Gate done) {
        if (left.decrementAndGet() == 0) {
            done.open();
        }
    }
}
