package dev.dormouse.examples.tutorial;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Workflow;
import java.time.Duration;

/** An invoice with up to three reminders. Waits for the payment after each. */
public class InvoiceWorkflow implements Invoice {
    private final Post post =
            Workflow.activities(Post.class, ActivityOptions.DEFAULT.withAttemptTimeout(Duration.ofMinutes(1)));
    private boolean paid;
    private int reminders;

    @Override
    public String collect(String customer, Duration patience) {
        post.send(customer, "invoice");
        while (!Workflow.await(patience, () -> paid)) { // one row in the database, no thread
            if (reminders == 3) {
                return "collection agency";
            }
            reminders++;
            post.send(customer, "reminder " + reminders);
        }
        post.send(customer, "thank you");
        return "paid";
    }

    @Override
    public void paid() {
        paid = true;
    }

    @Override
    public int reminders() {
        return reminders;
    }
}
