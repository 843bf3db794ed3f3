package dev.dormouse.internal.engine.run;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.run.CodeMismatch;
import dev.dormouse.internal.run.RunCode;
import dev.dormouse.store.run.RunRow;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs of this node whose code keeps catching the error that should unwind it from memory. The thread of such code
 * cannot be ended; it blocks forever and is lost. So a run that did this once is not executed on this node again. Once
 * {@link #MOST_OF_A_TYPE} runs of a type have done this, this node executes no run of that type. At most
 * {@link #MOST_RUNS} runs are remembered. Thread-safe.
 */
public final class UnresponsiveCode {
    private static final Logger LOG = LoggerFactory.getLogger(UnresponsiveCode.class);
    private static final int MOST_OF_A_TYPE = 100;
    private static final int MOST_RUNS = 10_000;

    private final Map<UUID, CodeMismatch> runs = new LinkedHashMap<>();
    private final Map<String, Integer> threadsOfType = new HashMap<>();
    private final Map<String, CodeMismatch> lastOfType = new HashMap<>();

    /** Notes that a thread was left behind, because the code of a run catches everything at {@code line}. */
    CodeMismatch abandoned(RunRow run, String line) {
        CodeMismatch why = CodeMismatch.doesNotLeave(run, line);
        LOG.error(
                "Run {} of workflow id '{}' left a blocked thread behind and is not executed on this node again: {}",
                run.runId(),
                run.workflowId(),
                why.getMessage());
        add(run, why);
        return why;
    }

    private synchronized void add(RunRow run, CodeMismatch why) {
        runs.put(run.runId(), why);
        if (runs.size() > MOST_RUNS) {
            runs.remove(runs.keySet().iterator().next());
        }
        threadsOfType.merge(run.type(), 1, Integer::sum);
        lastOfType.put(run.type(), why);
    }

    /** Throws if the code of a run is known not to leave memory. */
    void check(RunRow run) {
        CodeMismatch why = find(run);
        if (why != null) {
            throw why;
        }
    }

    private synchronized @Nullable CodeMismatch find(RunRow run) {
        boolean isWholeType = threadsOfType.getOrDefault(run.type(), 0) >= MOST_OF_A_TYPE;
        return isWholeType ? lastOfType.get(run.type()) : runs.get(run.runId());
    }

    /** Executes a query, unless the code is known not to leave memory. Notes code that does not. */
    public Payload query(RunCode code, RunRow run, List<Event> history, String name, List<Payload> arguments) {
        check(run);
        try {
            return code.query(run, history, name, arguments);
        } catch (CodeMismatch mismatch) {
            if (mismatch.code() == ErrorCode.CODE_DOES_NOT_LEAVE) {
                add(run, mismatch);
            }
            throw mismatch;
        }
    }
}
