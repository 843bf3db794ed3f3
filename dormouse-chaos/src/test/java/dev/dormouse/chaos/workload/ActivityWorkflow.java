package dev.dormouse.chaos.workload;

import dev.dormouse.ActivityOptions;
import dev.dormouse.RetryPolicy;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.error.ActivityFailedException;
import java.time.Duration;

/**
 * A workflow that calls one of the {@link TestActivities}, as its input says: {@code work:500}. Returns the outcome.
 */
public final class ActivityWorkflow implements WorkflowFunction<String, String> {
    public static final String TYPE = "task";

    private static final RetryPolicy QUICK = RetryPolicy.DEFAULT.withInitialInterval(Duration.ofMillis(100));

    @Override
    public String run(WorkflowContext ctx, String input) {
        String[] words = input.split(":", -1);
        long number = words.length > 1 ? Long.parseLong(words[1]) : 0;
        TestActivities chores = ctx.activities(TestActivities.class, options(words[0], number));
        try {
            return "attempt " + attempt(chores, words, number);
        } catch (ActivityFailedException failed) {
            return "gave up after " + failed.attempts() + ": "
                    + failed.failure().toString().replace('\n', ' ');
        }
    }

    private static int attempt(TestActivities chores, String[] words, long number) {
        return switch (words[0]) {
            case "work" -> chores.work(number);
            case "count" -> chores.count((int) number, Long.parseLong(words[2]));
            case "fail" -> chores.fail();
            case "pause" -> chores.pause(number);
            case "loop" -> chores.loop();
            case "crash" -> chores.crash();
            case "exit" -> chores.exit();
            case "odd" -> chores.odd().itself().size();
            default -> throw new IllegalArgumentException(words[0]);
        };
    }

    private static ActivityOptions options(String chore, long number) {
        ActivityOptions options = ActivityOptions.DEFAULT;
        return switch (chore) {
            case "fail" ->
                options.withRetry(RetryPolicy.DEFAULT
                        .withInitialInterval(Duration.ofMillis(number))
                        .withJitter(0));
            case "loop" -> options.withRetry(QUICK.withMaxAttempts(2)).withAttemptTimeout(Duration.ofSeconds(1));
            case "crash" -> options.withRetry(QUICK.withMaxAttempts(3));
            default -> options;
        };
    }
}
