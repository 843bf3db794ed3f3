package dev.dormouse.examples.cron;

import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;

/** The job. */
@WorkflowInterface
public interface Cleanup {
    @WorkflowMethod
    int clean(String folder);
}
