package dev.dormouse.internal.replay;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.CancelledException;
import dev.dormouse.internal.history.FailureTexts;
import dev.dormouse.internal.run.Ending;
import java.util.concurrent.Callable;

/** The workflow method of a run, and the ways in which it ends. */
final class MainCode {
    private MainCode() {}

    /**
     * Runs the code and returns how it ended. If the code is being unwound, throws the reason for that instead,
     * whatever the code threw or returned.
     */
    static Ending run(Fibers fibers, FailureTexts texts, Callable<Payload> code) {
        try {
            Payload result = code.call();
            fibers.checkStopped();
            return new Ending.Completed(result);
        } catch (CancelledException cancelled) {
            fibers.checkStopped();
            return fibers.root().isCancelled()
                    ? new Ending.Cancelled(cancelled.reason())
                    : new Ending.Failed(texts.keep(cancelled), 0, cancelled);
        } catch (StepFailure failed) {
            fibers.checkStopped();
            return new Ending.Failed(failed.failure(), failed.attempts(), null);
        } catch (Exception problem) {
            fibers.checkStopped();
            return new Ending.Failed(texts.keep(problem), 0, problem);
        } catch (ContinuedAsNew next) {
            fibers.checkStopped();
            return new Ending.Continued(next.type(), next.input(), next.unread());
        } catch (Error problem) {
            fibers.checkStopped();
            throw problem;
        }
    }
}
