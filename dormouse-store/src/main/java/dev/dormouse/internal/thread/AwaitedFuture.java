package dev.dormouse.internal.thread;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A future of an event in another run. A step that waits for it lends its run's place on this node. Futures that are
 * derived from it do the same. Thread-safe.
 */
final class AwaitedFuture<T> extends CompletableFuture<T> {

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new AwaitedFuture<>();
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        if (isDone()) {
            return super.get();
        }
        try (PlaceLoan loan = PlaceLoan.begin()) {
            return super.get();
        }
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        if (isDone()) {
            return super.get(timeout, unit);
        }
        try (PlaceLoan loan = PlaceLoan.begin()) {
            return super.get(timeout, unit);
        }
    }

    @Override
    public T join() {
        if (isDone()) {
            return super.join();
        }
        try (PlaceLoan loan = PlaceLoan.begin()) {
            return super.join();
        }
    }
}
