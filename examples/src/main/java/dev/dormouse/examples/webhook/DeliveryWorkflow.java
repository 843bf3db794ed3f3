package dev.dormouse.examples.webhook;

import dev.dormouse.ActivityOptions;
import dev.dormouse.RetryPolicy;
import dev.dormouse.Workflow;
import dev.dormouse.error.ActivityFailedException;
import java.net.URI;
import java.time.Duration;

/** A delivery that is tried for about a day, with growing pauses between the attempts. */
public class DeliveryWorkflow implements Delivery {
    private final Sender sender;

    /** @param firstPause the pause after the first failure; the next ones are four times as long each, up to 6 hours */
    public DeliveryWorkflow(Duration firstPause) {
        RetryPolicy retry = RetryPolicy.DEFAULT
                .withInitialInterval(firstPause)
                .withBackoffCoefficient(4)
                .withMaxInterval(Duration.ofHours(6))
                .withMaxAttempts(10);
        sender = Workflow.activities(
                Sender.class, ActivityOptions.DEFAULT.withRetry(retry).withAttemptTimeout(Duration.ofSeconds(10)));
    }

    @Override
    public String deliver(URI receiver, String event) {
        try {
            sender.post(receiver, event);
            return "DELIVERED";
        } catch (ActivityFailedException failed) {
            return "GAVE UP after " + failed.attempts() + ": "
                    + failed.failure().getMessage();
        }
    }
}
