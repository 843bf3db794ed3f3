package dev.dormouse.testing.sim;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An external thread that takes part in a simulated world: the test's thread. It never waits for something that cannot
 * happen any more, nor for longer than its {@code patience} in real time. A thread that ran out of patience is gone and
 * does not hold the baton: the holder of the baton ends the world.
 *
 * <p>The owner of the baton uses all fields. Only {@code gone} is written without the baton, hence volatile.
 */
final class ExternalThread {
    static final int DEEPEST = 40;

    /** A check whether an external thread that waits without a limit can still succeed. */
    interface Hope {
        boolean isLeft();

        /** Returns the error for the thread when {@link #isLeft} is false. */
        RuntimeException lost();
    }

    final SimThread thread;
    private final Duration patience;
    private final Hope hope;
    private @Nullable RuntimeException problem;
    private volatile boolean gone;

    ExternalThread(SimThread thread, Duration patience, Hope hope) {
        this.thread = thread;
        this.patience = patience;
        this.hope = hope;
    }

    boolean isGone() {
        return gone;
    }

    /** Waits for the baton. Throws if it does not come within the patience. */
    void awaitBaton(SimScheduler scheduler) {
        long half = patience.toNanos() / 2;
        long before = scheduler.progress();
        Duration elapsed = scheduler.elapsed();
        if (thread.awaitBaton(half)) {
            return;
        }
        long halfWay = scheduler.progress();
        if (thread.awaitBaton(half)) {
            return;
        }
        String blocked = scheduler.takeFromRest(thread);
        if (blocked != null) {
            throw activitiesBlock(blocked);
        }
        gone = true;
        SimThread running = scheduler.running();
        if (running == null || scheduler.progress() != halfWay) {
            throw busy(elapsed, scheduler.elapsed(), scheduler.progress() - before);
        }
        DormouseException problem = blocked(running);
        running.interrupt();
        throw problem;
    }

    private DormouseException activitiesBlock(String threads) {
        return new DormouseException(
                ErrorCode.ACTIVITY_BLOCKS,
                "Expected the activities that block to end within " + patience
                        + " of real time, but these did not. Time "
                        + "stands still as long as they run. Release them before the test waits, cancel their workflow, "
                        + "let time pass meanwhile with TestDormouse.advanceWhileBlocked(…), or change the limit: "
                        + "TestOptions.DEFAULT.withTimeout(…)." + threads);
    }

    /**
     * Executes {@code body} on the calling thread, outside of the world. Interrupts it when the patience ends, and
     * throws an error that says so.
     */
    <T> T outside(SimScheduler scheduler, Callable<T> body) throws Exception {
        Alarm alarm = new Alarm(Thread.currentThread());
        CompletableFuture.delayedExecutor(patience.toNanos(), TimeUnit.NANOSECONDS)
                .execute(alarm::ring);
        scheduler.goOut(thread);
        try {
            return body.call();
        } catch (Exception problem) {
            throw alarm.stop() ? testBlocks(problem) : problem;
        } finally {
            alarm.stop();
            scheduler.comeIn(thread);
        }
    }

    private DormouseException testBlocks(Exception problem) {
        return new DormouseException(
                ErrorCode.TEST_BLOCKS,
                "Expected the code in TestDormouse.block(…) to return within " + patience
                        + " of real time, but it did not, and was interrupted. Check that what it waits for happens "
                        + "without simulated time: time stands still meanwhile. Or change the limit: "
                        + "TestOptions.DEFAULT.withTimeout(…).",
                problem);
    }

    /** Interrupts a thread once, unless it was stopped before. Thread-safe. */
    private static final class Alarm {
        private final Thread thread;
        private boolean isOver;
        private boolean hasRung;

        Alarm(Thread thread) {
            this.thread = thread;
        }

        synchronized void ring() {
            if (!isOver) {
                hasRung = true;
                thread.interrupt();
            }
        }

        /** Returns true if the thread was interrupted. Clears that interrupt. */
        synchronized boolean stop() {
            isOver = true;
            return hasRung && (Thread.interrupted() || hasRung);
        }
    }

    private DormouseException busy(Duration from, Duration to, long turns) {
        return new DormouseException(
                ErrorCode.TEST_OUT_OF_PATIENCE,
                "Expected the test's wait to end within " + patience + " of real time, but it did not, "
                        + "although other code ran: " + turns + " turns, from " + from + " to " + to
                        + " of simulated time. Wait with a limit, such as result(Duration), or change the limit: "
                        + "TestOptions.DEFAULT.withTimeout(…).");
    }

    private DormouseException blocked(SimThread running) {
        String stack = Arrays.stream(running.stack())
                .limit(DEEPEST)
                .map(frame -> "\n    at " + frame)
                .collect(Collectors.joining());
        return new DormouseException(
                ErrorCode.TEST_OUT_OF_PATIENCE,
                "Expected all code to wait by calls of Dormouse, but " + running + " has kept the test waiting for "
                        + patience + " of real time. In a workflow, replace what blocks there by Workflow.sleep or "
                        + "Workflow.await. For activities that block, open the test with "
                        + "TestOptions.DEFAULT.withBlockingActivities(), or use TestDormouse.block(…). To wait longer: "
                        + "TestOptions.DEFAULT.withTimeout(…)." + stack);
    }

    /** Returns true if the thread must be woken with an error, because what it waits for can never happen. */
    boolean isHopeless(SimTimeline timeline, List<SimThread> live) {
        boolean waits = thread.state == SimThread.State.WAITING && thread.waitsForEver && timeline.isStill();
        boolean hopeless = waits && (timeline.isOver() || !someCodeGoesOn(live));
        if (hopeless) {
            problem = hope.lost();
        }
        return hopeless;
    }

    private boolean someCodeGoesOn(List<SimThread> live) {
        return live.stream().anyMatch(SimThread::awaitsATime) || hope.isLeft();
    }

    /** Throws the error that the thread was woken for, if any. */
    void throwProblem() {
        RuntimeException told = problem;
        problem = null;
        if (told != null) {
            throw told;
        }
    }
}
