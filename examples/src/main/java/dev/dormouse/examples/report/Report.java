package dev.dormouse.examples.report;

import dev.dormouse.QueryMethod;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;

/** A report that may take long. */
@WorkflowInterface
public interface Report {
    @WorkflowMethod
    String order(String topic);

    /** Returns true if a reminder was sent. */
    @QueryMethod
    boolean isLate();
}
