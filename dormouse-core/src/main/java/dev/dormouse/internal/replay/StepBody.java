package dev.dormouse.internal.replay;

import dev.dormouse.codec.Payload;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.FailureTexts;
import dev.dormouse.internal.run.StepAttempt;
import dev.dormouse.internal.run.StepCall;

/**
 * The body of a step as the engine executes it: outside of workflow code, even on the same thread.
 *
 * @param texts the form in which its exceptions are recorded
 */
record StepBody(StepCall.Body body, FailureTexts texts) implements StepCall.Body {

    @Override
    public Payload run(StepAttempt attempt) throws Exception {
        Replay saved = Replay.CURRENT.get();
        Replay.CURRENT.remove();
        try {
            return body.run(attempt);
        } finally {
            Replay.CURRENT.set(saved);
        }
    }

    @Override
    public Failure keep(Throwable problem) {
        return texts.keep(problem);
    }
}
