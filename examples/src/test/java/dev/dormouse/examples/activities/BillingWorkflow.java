package dev.dormouse.examples.activities;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Workflow;
import dev.dormouse.examples.tutorial.Post;
import java.time.Duration;

/** Calls one activity. docs/activities.md quotes this. */
public class BillingWorkflow implements Billing {
    private final Post post =
            Workflow.activities(Post.class, ActivityOptions.DEFAULT.withAttemptTimeout(Duration.ofMinutes(1)));

    @Override
    public String run(String customer) {
        post.send(customer, "invoice"); // a step
        return "sent";
    }
}
