package dev.dormouse.internal.workflow;

import dev.dormouse.Promise;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.replay.Deadlines;
import dev.dormouse.internal.replay.Replay;
import dev.dormouse.internal.value.Arguments;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A promise of a run, made of functions that return if it is done, return its result, and cancel it. Not thread-safe:
 * belongs to the run's coroutines, which execute one at a time.
 */
public sealed class RunPromise<T extends @Nullable Object> implements Promise<T> permits RunChild {
    private final Replay run;
    private final BooleanSupplier done;
    private final Supplier<T> result;
    private final Runnable cancel;
    private final Runnable asked;

    /**
     * Creates a promise.
     *
     * @param result returns the result, or throws the failure; called only when the promise is done
     */
    RunPromise(Replay run, BooleanSupplier done, Supplier<T> result, Runnable cancel) {
        this(run, done, result, cancel, () -> {});
    }

    /**
     * Creates a promise that reports if its result is asked for.
     *
     * @param asked called when the code waits for the result, or gives it up
     */
    RunPromise(Replay run, BooleanSupplier done, Supplier<T> result, Runnable cancel, Runnable asked) {
        this.run = run;
        this.done = done;
        this.result = result;
        this.cancel = cancel;
        this.asked = asked;
    }

    private static void ask(List<Promise<?>> promises) {
        for (Promise<?> promise : promises) {
            if (promise instanceof RunPromise<?> one) {
                one.asked.run();
            }
        }
    }

    public static List<Promise<?>> list(Promise<?>[] promises) {
        for (Promise<?> promise : Arguments.required(promises, "promises")) {
            Arguments.required(promise, "a promise");
        }
        return List.of(promises);
    }

    public static Promise<List<@Nullable Object>> allOf(List<Promise<?>> all) {
        Replay run = currentRun("Promise.allOf");
        return new RunPromise<>(
                run,
                () -> all.stream().allMatch(Promise::isDone),
                () -> {
                    List<@Nullable Object> results = new ArrayList<>();
                    all.forEach(promise -> results.add(promise.get()));
                    return results;
                },
                () -> all.forEach(Promise::cancel),
                () -> ask(all));
    }

    public static Promise<@Nullable Object> anyOf(List<Promise<?>> some) {
        if (some.isEmpty()) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected Promise.anyOf to get at least one promise, but got none. The result would never be done.");
        }
        Replay run = currentRun("Promise.anyOf");
        return new RunPromise<>(
                run,
                () -> some.stream().anyMatch(Promise::isDone),
                () -> some.stream()
                        .filter(Promise::isDone)
                        .findFirst()
                        .orElseThrow()
                        .get(),
                () -> some.forEach(Promise::cancel),
                () -> ask(some));
    }

    private static Replay currentRun(String what) {
        Replay run = Replay.current();
        if (run == null) {
            throw new DormouseException(
                    ErrorCode.OUTSIDE_WORKFLOW,
                    "Expected " + what + " to be called by workflow code, but thread '"
                            + Thread.currentThread().getName() + "' executes none. Use CompletableFuture outside.");
        }
        return run;
    }

    @Override
    public boolean isDone() {
        return done.getAsBoolean();
    }

    @Override
    public T get() {
        asked.run();
        run.until(done);
        return result.get();
    }

    @Override
    public T get(Duration atMost) {
        asked.run();
        if (!await(atMost)) {
            throw new DormouseException(
                    ErrorCode.PROMISE_TIMEOUT,
                    "Expected a promise to be done within " + atMost
                            + ", but it is not. It continues; cancel it if it is no longer needed.");
        }
        return result.get();
    }

    @Override
    public boolean await(Duration atMost) {
        boolean isDone = run.await(Deadlines.plus(run.now(), Arguments.required(atMost, "a duration")), done);
        if (!isDone) {
            asked.run();
        }
        return isDone;
    }

    @Override
    public void cancel() {
        asked.run();
        if (!isDone()) {
            cancel.run();
        }
    }

    @Override
    public <R extends @Nullable Object> Promise<R> then(Function<? super T, ? extends R> next) {
        Arguments.required(next, "a function");
        return Coroutine.start(run, () -> next.apply(get()));
    }

    @Override
    public <R extends @Nullable Object> Promise<R> handle(
            BiFunction<? super @Nullable T, ? super @Nullable RuntimeException, ? extends R> next) {
        Arguments.required(next, "a function");
        asked.run();
        return Coroutine.start(run, () -> {
            run.until(done);
            RuntimeException problem = failure().orElse(null);
            return next.apply(problem == null ? result.get() : null, problem);
        });
    }

    @Override
    public Optional<RuntimeException> failure() {
        if (!isDone()) {
            return Optional.empty();
        }
        asked.run();
        try {
            Object unused = result.get();
            return Optional.empty();
        } catch (RuntimeException problem) {
            return Optional.of(problem);
        }
    }
}
