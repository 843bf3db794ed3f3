package dev.dormouse.internal.engine.observe;

import dev.dormouse.store.run.RunRow;
import org.slf4j.MDC;

/**
 * The MDC labels of all lines that are logged while a run's code or one of its steps executes: {@value #WORKFLOW},
 * {@value #RUN}, {@value #TYPE}, and in steps {@value #STEP}.
 */
public final class LogLabels {
    public static final String WORKFLOW = "dormouse.workflow";
    public static final String RUN = "dormouse.run";
    public static final String TYPE = "dormouse.type";
    public static final String STEP = "dormouse.step";

    private LogLabels() {}

    /**
     * Returns a task that executes {@code body} with the labels of a run. The labels are removed afterwards, because
     * threads are reused.
     */
    public static Runnable around(RunRow row, Runnable body) {
        return () -> {
            MDC.put(WORKFLOW, row.workflowId());
            MDC.put(RUN, row.runId().toString());
            MDC.put(TYPE, row.type());
            try {
                body.run();
            } finally {
                MDC.remove(WORKFLOW);
                MDC.remove(RUN);
                MDC.remove(TYPE);
            }
        };
    }
}
