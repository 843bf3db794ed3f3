package dev.dormouse;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Something that workflow code has begun and will have the result of: a timer, a coroutine, a child. Belongs to the
 * run's coroutines.
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

    /** Whether it has a result, has failed or was cancelled. */
    boolean isDone();

    /** Waits for the result. Throws what it failed with. */
    T get();

    /** The same, for no longer than this; then DormouseException PROMISE_TIMEOUT. The promise is not affected. */
    T get(Duration atMost);

    /** Waits until it is done, for no longer than this; false when the time was up first. */
    boolean await(Duration atMost);

    /** Does not want it any more: a timer never fires, a coroutine or child is asked to end. Not once it is done. */
    void cancel();

    /** What this makes of the result, computed by a coroutine as soon as it is there. */
    <R extends @Nullable Object> Promise<R> then(Function<? super T, ? extends R> next);

    /** Done when all are; its result is theirs in the same order, or the first failure in that order. */
    static Promise<List<@Nullable Object>> allOf(Promise<?>... promises) {
        return RunPromise.allOf(RunPromise.list(promises));
    }

    /** The same for many of one type. */
    @SuppressWarnings("unchecked") // all of them are of that type
    static <T> Promise<List<T>> allOf(List<Promise<T>> promises) {
        return (Promise<List<T>>) (Promise<?>) RunPromise.allOf(List.copyOf(Arguments.required(promises, "promises")));
    }

    /** Done when one is; its result or failure is that of the first in order that is done. */
    static Promise<@Nullable Object> anyOf(Promise<?>... promises) {
        return RunPromise.anyOf(RunPromise.list(promises));
    }
}
