package dev.dormouse.testing.sim;

import dev.dormouse.internal.thread.Gate;
import dev.dormouse.internal.thread.PlaceLoan;
import dev.dormouse.internal.thread.Threads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A future on which simulated threads wait in simulated time. Futures derived from it behave likewise. */
final class SimFuture<T> extends CompletableFuture<T> {
    private static final Duration FOR_EVER = Duration.ofDays(100_000);

    private final Threads threads;
    private final SimScheduler scheduler;

    SimFuture(Threads threads, SimScheduler scheduler) {
        this.threads = threads;
        this.scheduler = scheduler;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new SimFuture<>(threads, scheduler);
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        await(FOR_EVER);
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        await(Duration.of(timeout, unit.toChronoUnit()));
        return scheduler.isMine() ? super.get(0, unit) : super.get(timeout, unit);
    }

    @Override
    public T join() {
        await(FOR_EVER);
        return super.join();
    }

    private void await(Duration atMost) {
        if (!isDone() && scheduler.isMine()) {
            Gate gate = threads.newGate();
            CompletableFuture<T> unused = whenComplete((result, problem) -> gate.open());
            try (PlaceLoan loan = PlaceLoan.begin()) {
                gate.pass(atMost);
            }
        }
    }
}
