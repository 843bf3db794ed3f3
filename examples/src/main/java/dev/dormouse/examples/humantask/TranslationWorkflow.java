package dev.dormouse.examples.humantask;

import dev.dormouse.ActivityOptions;
import dev.dormouse.RetryPolicy;
import dev.dormouse.Workflow;
import dev.dormouse.error.ActivityFailedException;
import java.time.Duration;

/** For the workflow, a person is an activity. */
public class TranslationWorkflow implements Translation {
    private final People people = Workflow.activities(
            People.class,
            ActivityOptions.DEFAULT
                    .withAttemptTimeout(Duration.ofDays(2))
                    .withRetry(RetryPolicy.DEFAULT.withMaxAttempts(2)));

    @Override
    public String translate(String text) {
        try {
            return people.translate(text);
        } catch (ActivityFailedException failed) {
            return "(" + text + ")"; // nobody had time
        }
    }
}
