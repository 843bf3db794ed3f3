package dev.dormouse.internal.history;

/** The failure that ended a step from outside, and the retry advice for its policy. */
public record Problem(Failure failure, RetryAdvice advice) implements Writable {

    public static Problem of(Throwable problem) {
        return new Problem(Failure.of(problem), RetryAdvice.of(problem));
    }

    static Problem read(EventReader in) {
        return new Problem(Failure.read(in), RetryAdvice.read(in));
    }

    @Override
    public void write(EventWriter out) {
        failure.write(out);
        advice.write(out);
    }
}
