package dev.dormouse.internal.replay;

import dev.dormouse.internal.run.Ending;
import java.util.IdentityHashMap;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The branches and steps that a run's code has started and never waited for. They are logged when the run closes. Belongs
 * to the run's coroutines.
 */
public final class UnawaitedWork {
    private static final Logger LOG = LoggerFactory.getLogger(UnawaitedWork.class);

    private final IdentityHashMap<Object, Exception> failed = new IdentityHashMap<>();

    UnawaitedWork() {}

    /** Records a coroutine that has failed and for whose result no code has asked yet. */
    public void failed(Object coroutine, Exception problem) {
        failed.put(coroutine, problem);
    }

    /** Removes a coroutine, because the code has asked for its result. */
    public void seen(Object coroutine) {
        failed.remove(coroutine);
    }

    /**
     * Logs the failed branches, and the steps that never began, of a run that has returned.
     *
     * @param neverBegun the names of steps that the code has called and that did not begin before the run ended
     */
    void log(Replay replay, Ending ending, List<String> neverBegun) {
        boolean returned = ending instanceof Ending.Completed || ending instanceof Ending.Continued;
        if (returned && !failed.isEmpty()) { // a run that fails is logged itself
            logFailed(replay);
        }
        String note = returned && !neverBegun.isEmpty() ? replay.mayLog() : null;
        if (note != null) {
            LOG.warn(
                    "Run {} of workflow id '{}' has returned before its steps {} began, so that they never run. Call get() "
                            + "on the promise of an async branch before the workflow returns.{}",
                    replay.run().runId(),
                    replay.run().workflowId(),
                    neverBegun,
                    note);
        }
    }

    private void logFailed(Replay replay) {
        String note = replay.mayLog();
        if (note != null) {
            LOG.warn(
                    "{} of run {} of workflow id '{}' failed, but no code asked for the result, so that the failure has no "
                            + "effect. Call get() on the promise.{}",
                    failed.size() == 1 ? "An async branch" : failed.size() + " async branches",
                    replay.run().runId(),
                    replay.run().workflowId(),
                    note,
                    failed.values().iterator().next());
        }
    }
}
