package dev.dormouse.examples.window;

import dev.dormouse.ActivityOptions;
import dev.dormouse.RetryPolicy;
import dev.dormouse.Workflow;
import dev.dormouse.error.ActivityFailedException;

/** A child that reports its end in any case. Otherwise it would keep its place in the window forever. */
public class ItemWorkflow implements Item {
    private final Records records = Workflow.activities(
            Records.class, ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withMaxAttempts(3)));

    @Override
    public void process(String parent, int item) {
        try {
            records.process(item);
        } catch (ActivityFailedException failed) {
            Workflow.logger().warn("Record {} is skipped.", item, failed);
        }
        Workflow.externalWorkflow(Window.class, parent).completed(item);
    }
}
