package dev.dormouse.replay;

import dev.dormouse.engine.Ending;
import dev.dormouse.store.RunRow;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The branches and steps that the code of a run has begun and forgotten: logged when the run closes. Belongs to the run's coroutines. */
public final class LooseEnds {
    private static final Logger LOG = LoggerFactory.getLogger(LooseEnds.class);

    private final Map<Object, Exception> failed = new IdentityHashMap<>();

    LooseEnds() {}

    /** A coroutine has failed, and no code has asked for its result yet. */
    public void failed(Object coroutine, Exception problem) {
        failed.put(coroutine, problem);
    }

    /** The code has been given the failure of a coroutine. */
    public void seen(Object coroutine) {
        failed.remove(coroutine);
    }

    /** @param neverBegun names of steps that the code has called, and that did not begin before its end */
    void log(RunRow run, Ending ending, List<String> neverBegun) {
        for (Exception problem : failed.values()) {
            LOG.warn(
                    "An async branch of run {} of workflow id '{}' has failed, but no code asked for its result, so that "
                            + "the failure has no effect. Call get() on its promise.",
                    run.runId(),
                    run.workflowId(),
                    problem);
        }
        boolean returned = ending instanceof Ending.Completed || ending instanceof Ending.Continued;
        if (returned && !neverBegun.isEmpty()) {
            LOG.warn(
                    "Run {} of workflow id '{}' has returned before its steps {} began, so that they never run. Call get() "
                            + "on the promise of an async branch before the workflow returns.",
                    run.runId(),
                    run.workflowId(),
                    neverBegun);
        }
    }
}
