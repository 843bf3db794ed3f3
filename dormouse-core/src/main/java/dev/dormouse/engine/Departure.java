package dev.dormouse.engine;

import dev.dormouse.store.Commit;
import dev.dormouse.store.CommitOutcome;
import dev.dormouse.store.StoreTrouble;
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
final class Departure {
    private static final Duration BETWEEN_ROUNDS = Duration.ofMillis(5);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);
    private static final Duration RELEASE_TIME = Duration.ofSeconds(5);

    private final Engine engine;

    Departure(Engine engine) {
        this.engine = engine;
    }

    /** Gives running code time to come to a pause, then gives up what leases are left, so that others go on at once. */
    void letRunsLeave() {
        Gate left = engine.threads().newGate();
        engine.table().onRoom(left::open);
        engine.table().close();
        long end = engine.threads().nanoTime() + engine.settings().closeGrace().toNanos();
        long remaining = end - engine.threads().nanoTime();
        while (!engine.table().isEmpty() && remaining > 0 && !(isStoreReplaced() && onlyCommitsAreLeft())) {
            left.pass(Duration.ofNanos(Math.min(remaining, BETWEEN_LOOKS.toNanos())));
            remaining = end - engine.threads().nanoTime();
        }
        if (isStoreReplaced()) {
            engine.table().all(run -> true).forEach(RunExecution::stop);
            return;
        }
        engine.paused().release(RELEASE_TIME);
        saveResults();
        awaitArrivals();
        release(engine.table().all(run -> true));
    }

    /** Returns true if the store has lost its file. It takes no commit until it is opened again, so waiting gains nothing. */
    private boolean isStoreReplaced() {
        return engine.watch().outages().stream().anyMatch(outage -> outage.trouble() == StoreTrouble.REPLACED);
    }

    /** Returns true if no run executes user code, which is given its time even if its result cannot be committed. */
    private boolean onlyCommitsAreLeft() {
        return engine.table().all(run -> !run.isCommitting() || run.isLent()).isEmpty();
    }

    /** Results that wait to be committed are not thrown away because of a step that takes too long. */
    private void saveResults() {
        long end = engine.threads().nanoTime() + RELEASE_TIME.toNanos();
        List<RunExecution> late = engine.table().all(RunExecution::hasLateResults);
        while (!late.isEmpty() && engine.threads().nanoTime() - end < 0) {
            late.forEach(run -> run.flush(Duration.ZERO));
            engine.threads().newGate().pass(BETWEEN_ROUNDS);
            late = engine.table().all(RunExecution::hasLateResults);
        }
    }

    /** What is being started or claimed for this node right now has its lease, which must be given up too. */
    private void awaitArrivals() {
        long end = engine.threads().nanoTime() + RELEASE_TIME.toNanos();
        while (engine.table().expectsMore() && engine.threads().nanoTime() - end < 0) {
            engine.threads().newGate().pass(BETWEEN_ROUNDS);
        }
    }

    /** Gives leases up from outside; the runs' code may still be in steps, but commits nothing more. */
    private void release(List<RunExecution> runs) {
        runs.forEach(RunExecution::stop);
        long end = engine.threads().nanoTime() + RELEASE_TIME.toNanos();
        List<RunExecution> left = runs;
        while (!left.isEmpty() && engine.threads().nanoTime() - end < 0) {
            left = releaseOnce(left, Duration.ofNanos(end - engine.threads().nanoTime()));
            if (!left.isEmpty()) {
                engine.threads().newGate().pass(BETWEEN_ROUNDS);
            }
        }
    }

    /** Returns the runs whose own last commit came in between: they are released as it left them. */
    private List<RunExecution> releaseOnce(List<RunExecution> runs, Duration atMost) {
        AtomicInteger onTheirWay = new AtomicInteger(1);
        Gate released = engine.threads().newGate();
        List<RunExecution> again = Collections.synchronizedList(new ArrayList<>());
        for (RunExecution run : runs) {
            boolean commits = run.isCommitting();
            Commit release = run.release();
            if (release != null) {
                onTheirWay.incrementAndGet();
                engine.writers(run.shard()).submit(release, outcome -> {
                    if (outcome instanceof CommitOutcome.Fenced && (commits || hasMoved(run, release))) {
                        again.add(run);
                    }
                    countDown(onTheirWay, released);
                });
            }
        }
        countDown(onTheirWay, released);
        released.pass(atMost);
        ring(runs);
        return List.copyOf(again);
    }

    /** Tells others, once for each lane: however many runs there are, they go on at once. */
    private void ring(List<RunExecution> runs) {
        Map<Integer, Set<String>> lanes = new HashMap<>();
        runs.forEach(run ->
                lanes.computeIfAbsent(run.shard(), any -> new HashSet<>()).add(run.lane()));
        lanes.forEach((shard, names) ->
                names.forEach(lane -> engine.ring(shard, lane, engine.clock().latest())));
    }

    private static boolean hasMoved(RunExecution run, Commit release) {
        Commit now = run.release();
        return now != null && !now.fence().equals(release.fence());
    }

    private static void countDown(AtomicInteger left, Gate done) {
        if (left.decrementAndGet() == 0) {
            done.open();
        }
    }
}
