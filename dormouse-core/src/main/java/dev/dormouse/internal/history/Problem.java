package dev.dormouse.internal.history;

/** The failure that ended a step from outside, and the retry advice for its policy. */
public record Problem(Failure failure, RetryAdvice advice) {

    public static Problem of(Throwable problem) {
        return new Problem(Failure.of(problem), RetryAdvice.of(problem));
    }
}
