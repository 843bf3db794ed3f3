package dev.dormouse.internal.engine;

import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.observe.StoreWatch;
import dev.dormouse.internal.engine.run.LocalPauses;
import dev.dormouse.internal.engine.run.LocalRun;
import dev.dormouse.internal.engine.run.RunTable;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.store.base.StoreTrouble;
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

/** How runs leave a node that closes: by themselves at their next pause, or after a while without their code. */
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

    /** Gives running code time to come to a pause, then gives up what leases are left, so that others go on at once. */
    void letRunsLeave() {
        Gate left = context.threads().newGate();
        table.onRoom(left::open);
        table.close();
        long end =
                context.threads().nanoTime() + context.settings().closeGrace().toNanos();
        long remaining = end - context.threads().nanoTime();
        while (!table.isEmpty() && remaining > 0 && !(isStoreReplaced() && onlyCommitsAreLeft())) {
            boolean mayBeReplaced = context.store().isExclusive() && !storeWatch.outages().isEmpty();
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

    /** Returns true if the store has lost its file. It takes no commit until it is opened again, so waiting gains nothing. */
    private boolean isStoreReplaced() {
        return storeWatch.outages().stream().anyMatch(outage -> outage.trouble() == StoreTrouble.REPLACED);
    }

    /** Returns true if no run executes user code, which is given its time even if its result cannot be committed. */
    private boolean onlyCommitsAreLeft() {
        return table.all(run -> !run.isCommitting() || run.isExecutingStep()).isEmpty();
    }

    /** Results that wait to be committed are not thrown away because of a step that takes too long. */
    private void saveResults() {
        long end = context.threads().nanoTime() + RELEASE_TIME.toNanos();
        List<LocalRun> late = table.all(LocalRun::hasDeferredResults);
        while (!late.isEmpty() && context.threads().nanoTime() - end < 0) {
            late.forEach(run -> run.flush(Duration.ZERO));
            context.threads().newGate().pass(BETWEEN_ROUNDS);
            late = table.all(LocalRun::hasDeferredResults);
        }
    }

    /** What is being started or claimed for this node right now has its lease, which must be given up too. */
    private void awaitArrivals() {
        long end = context.threads().nanoTime() + RELEASE_TIME.toNanos();
        while (table.expectsMore() && context.threads().nanoTime() - end < 0) {
            context.threads().newGate().pass(BETWEEN_ROUNDS);
        }
    }

    /** Gives leases up from outside; the runs' code may still be in steps, but commits nothing more. */
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

    /** Returns the runs whose own last commit came in between: they are released as it left them. */
    private List<LocalRun> releaseOnce(List<LocalRun> runs, Duration atMost) {
        AtomicInteger onTheirWay = new AtomicInteger(1);
        Gate released = context.threads().newGate();
        List<LocalRun> again = Collections.synchronizedList(new ArrayList<>());
        for (LocalRun run : runs) {
            boolean commits = run.isCommitting();
            Commit release = run.release();
            if (release != null) {
                onTheirWay.incrementAndGet();
                context.writers(run.shard()).submit(release, outcome -> {
                    if (outcome instanceof CommitOutcome.Fenced && (commits || hasMoved(run, release))) {
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

    /** Tells others, once for each lane: however many runs there are, they go on at once. */
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
