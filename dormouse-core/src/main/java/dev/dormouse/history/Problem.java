package dev.dormouse.history;

/** Why a step was failed from outside, and what its policy goes by. */
public record Problem(Failure failure, RetryAdvice advice) {

    public static Problem of(Throwable problem) {
        return new Problem(Failure.of(problem), RetryAdvice.of(problem));
    }
}
