package dev.dormouse;

import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.ChildFailedException;
import dev.dormouse.internal.value.Arguments;
import dev.dormouse.internal.workflow.RunPromise;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The future result of something that workflow code has started: a timer, a coroutine or a child. Not thread-safe: only
 * the coroutines of its run may use it. On other threads the methods that wait throw OUTSIDE_WORKFLOW.
 *
 * <pre>{@code
 * Promise<String> answer = Workflow.async(() -> desk.ask(question));
 * Promise<Void> tooLate = Workflow.newTimer(Duration.ofMinutes(10));
 * Promise.anyOf(answer, tooLate).get();
 * if (!answer.isDone()) { mail.remind(question); }
 * return answer.get();
 * }</pre>
 */
public interface Promise<T extends @Nullable Object> {

    /** Returns true if the promise has a result, has failed or was cancelled. */
    boolean isDone();

    /**
     * Waits for the result and returns it.
     *
     * @throws dev.dormouse.error.CancelledException if the promise, the run or the calling scope was cancelled
     * @throws RuntimeException the failure of the promise, such as {@link ActivityFailedException} or {@link
     *     ChildFailedException}
     * @throws dev.dormouse.error.DormouseException STEP_FAILED if a coroutine threw a checked exception;
     *     OUTSIDE_WORKFLOW or NOT_ALLOWED_HERE if the caller is not workflow code that may wait
     */
    T get();

    /**
     * Waits for the result for at most {@code atMost} and returns it. A timeout does not affect the promise.
     *
     * @throws dev.dormouse.error.CancelledException if the promise, the run or the calling scope was cancelled
     * @throws RuntimeException the failure of the promise, such as {@link ActivityFailedException} or {@link
     *     ChildFailedException}
     * @throws dev.dormouse.error.DormouseException PROMISE_TIMEOUT after that time; STEP_FAILED if a coroutine
     *     threw a checked exception; BAD_ARGUMENT if {@code atMost} is null; INSTANT_OUT_OF_RANGE if no store can hold
     *     the deadline; OUTSIDE_WORKFLOW or NOT_ALLOWED_HERE if the caller is not workflow code that may wait
     */
    T get(Duration atMost);

    /**
     * Waits until the promise is done, for at most {@code atMost}. Returns false after that time.
     *
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope was cancelled
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code atMost} is null; INSTANT_OUT_OF_RANGE if no
     *     store can hold the deadline; OUTSIDE_WORKFLOW or NOT_ALLOWED_HERE if the caller is not workflow code that may
     *     wait
     */
    boolean await(Duration atMost);

    /**
     * Cancels the promise: a timer never fires; a coroutine or child is asked to end. Has no effect once the promise is
     * done.
     */
    void cancel();

    /**
     * Returns a promise for the result of {@code next}, which a coroutine calls with this promise's result.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code next} is null
     */
    <R extends @Nullable Object> Promise<R> then(Function<? super T, ? extends R> next);

    /**
     * Returns a promise for the result of {@code next}, which a coroutine calls when this promise is done: with its
     * result, or with its failure. One of the two is null; both are if the result is null. A cancelled promise has
     * failed with a {@link dev.dormouse.error.CancelledException}.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code next} is null
     */
    <R extends @Nullable Object> Promise<R> handle(
            BiFunction<? super @Nullable T, ? super @Nullable RuntimeException, ? extends R> next);

    /** Returns the exception that {@link #get} would throw; empty if the promise is not done, or has a result. */
    Optional<RuntimeException> failure();

    /**
     * Returns a promise that is done when all {@code promises} are done. Its result is the list of their results, in
     * the same order, or the first failure in that order.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT for null; OUTSIDE_WORKFLOW outside of workflow code
     */
    static Promise<List<@Nullable Object>> allOf(Promise<?>... promises) {
        return RunPromise.allOf(RunPromise.list(promises));
    }

    /**
     * Returns a promise that is done when all {@code promises}, which have the same type, are done. Its result is the
     * list of their results, in the same order, or the first failure in that order.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT for null; OUTSIDE_WORKFLOW outside of workflow code
     */
    @SuppressWarnings("unchecked") // all promises have that type
    static <T> Promise<List<T>> allOf(List<Promise<T>> promises) {
        return (Promise<List<T>>) (Promise<?>) RunPromise.allOf(List.copyOf(Arguments.required(promises, "promises")));
    }

    /**
     * Returns a promise that is done when one of {@code promises} is done. Its result or failure is that of the first
     * promise, in the order of the arguments, that is done.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT for null or no promises; OUTSIDE_WORKFLOW outside
     *     of workflow code
     */
    static Promise<@Nullable Object> anyOf(Promise<?>... promises) {
        return RunPromise.anyOf(RunPromise.list(promises));
    }

    /**
     * Returns a promise that is done when one of {@code promises}, which have the same type, is done. Its result or
     * failure is that of the first promise, in the order of the list, that is done.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT for null or no promises; OUTSIDE_WORKFLOW outside
     *     of workflow code
     */
    @SuppressWarnings("unchecked") // all promises have that type
    static <T extends @Nullable Object> Promise<T> anyOf(List<? extends Promise<T>> promises) {
        return (Promise<T>) RunPromise.anyOf(List.copyOf(Arguments.required(promises, "promises")));
    }
}
