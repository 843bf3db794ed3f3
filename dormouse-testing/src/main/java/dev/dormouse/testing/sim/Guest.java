package dev.dormouse.testing.sim;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A thread from outside that takes part in a world: a test's. It is never kept waiting for what cannot happen any more,
 * nor for longer than its patience, in real time. A guest that lost patience is gone, without the baton: whoever has it
 * ends the world.
 */
final class Guest {
    private static final int DEEPEST = 40;

    /** What a guest who waits without a limit can hope for. */
    interface Hope {
        boolean isLeft();

        /** What to tell the guest when none is left. */
        RuntimeException lost();
    }

    final SimThread thread;
    private final Duration patience;
    private final Hope hope;
    private @Nullable RuntimeException problem;
    private volatile boolean gone;

    Guest(SimThread thread, Duration patience, Hope hope) {
        this.thread = thread;
        this.patience = patience;
        this.hope = hope;
    }

    boolean isGone() {
        return gone;
    }

    /** Waits for its turn; an error instead of a turn that does not come. */
    void awaitBaton(Scheduler scheduler) {
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
        gone = true;
        SimThread running = scheduler.running();
        if (running == null || scheduler.progress() != halfWay) {
            throw busy(elapsed, scheduler.elapsed(), scheduler.progress() - before);
        }
        DormouseException blocked = blocked(running);
        running.interrupt();
        throw blocked;
    }

    private DormouseException busy(Duration from, Duration to, long turns) {
        return new DormouseException(
                ErrorCode.TEST_OUT_OF_PATIENCE,
                "Expected what the test waits for to happen within " + patience + " of real time, but it did not, "
                        + "although much else did: " + turns + " turns, from " + from + " to " + to
                        + " of simulated time. Wait with a limit, such as result(Duration), or have more patience: "
                        + "TestOptions.DEFAULT.patience(…).");
    }

    private DormouseException blocked(SimThread running) {
        String stack = Arrays.stream(running.stack())
                .limit(DEEPEST)
                .map(frame -> "\n    at " + frame)
                .collect(Collectors.joining());
        return new DormouseException(
                ErrorCode.TEST_OUT_OF_PATIENCE,
                "Expected all code to wait by calls of Dormouse, but " + running + " has kept the test waiting for "
                        + patience + " of real time. Replace what blocks there by Workflow.sleep, Workflow.await or a "
                        + "fake, or have more patience: TestOptions.DEFAULT.patience(…)." + stack);
    }

    /** Whether the guest is to be told that what it waits for will never be. */
    boolean isHopeless(Timeline timeline, List<SimThread> live) {
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

    /** Throws what the guest was woken for, if it was for that. */
    void throwProblem() {
        RuntimeException told = problem;
        problem = null;
        if (told != null) {
            throw told;
        }
    }
}
