package dev.dormouse.examples.activities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.dormouse.Activity;
import dev.dormouse.ActivityInterface;
import dev.dormouse.ActivityOptions;
import dev.dormouse.RetryPolicy;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.ApplicationException;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.WorkflowFailedException;
import dev.dormouse.testing.TestDormouse;
import dev.dormouse.testing.TestOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code that docs/activities.md quotes about details of failures and about cancelled activities. */
@Timeout(60)
class FailureGuideTest {
    /** Why a card was refused. */
    record Decline(String reason, int limit) {}

    @ActivityInterface
    interface Cards {
        String charge(String card, int cents);
    }

    private final List<String> log = new CopyOnWriteArrayList<>();

    private String charge(String card, int limit, int cents) {
        log.add("charge " + card);
        if (cents > limit) {
            throw new ApplicationException("CardDeclined", "the bank has declined the card")
                    .withDetails(new Decline("limit", limit))
                    .nonRetryable();
        }
        return "charged " + cents;
    }

    private String order(WorkflowContext ctx, Integer cents) {
        Cards cards = ctx.activities(Cards.class);
        try {
            return cards.charge("ada", cents);
        } catch (ActivityFailedException failed) {
            if (failed.isCausedBy("CardDeclined")) {
                Decline decline = failed.details(Decline.class).orElseThrow();
                return cards.charge("ada", decline.limit()) + " of " + cents;
            }
            throw failed;
        }
    }

    @Test
    void workflowReadsTheDetailsOfAFailure() {
        try (TestDormouse test =
                TestDormouse.open(builder -> builder.workflow("order", Integer.class, String.class, this::order)
                        .activities(Cards.class, (card, cents) -> charge(card, 500, cents)))) {
            assertThat(test.dormouse().start("order", "o-1", String.class, 995).result())
                    .isEqualTo("charged 500 of 995");
            assertThat(log).hasSize(2);
        }
    }

    private static final ActivityOptions STRICT =
            ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withNonRetryable("CardExpired"));

    private String renew(WorkflowContext ctx, String card) {
        return ctx.step("renew", STRICT, String.class, () -> {
            log.add("renew " + card);
            throw new ApplicationException("CardExpired", "the card has expired").withDetails(new Decline("old", 0));
        });
    }

    @Test
    void clientReadsTheDetailsOfAFailure() {
        try (TestDormouse test =
                TestDormouse.open(builder -> builder.workflow("renew", String.class, String.class, this::renew))) {
            WorkflowHandle<String> handle = test.dormouse().start("renew", "r-1", String.class, "ada");
            WorkflowFailedException failed = catchThrowableOfType(WorkflowFailedException.class, handle::result);
            assertThat(failed.isCausedBy("CardExpired")).isTrue();
            assertThat(failed.details(Decline.class)).contains(new Decline("old", 0));
            assertThat(log).hasSize(1);
        }
    }

    private static final ActivityOptions UNTIL_CLEAN =
            ActivityOptions.DEFAULT.withHeartbeatTimeout(Duration.ofMinutes(1)).withWaitForCancellation();

    private String upload(WorkflowContext ctx, Integer files) {
        try {
            return ctx.step("upload", UNTIL_CLEAN, String.class, () -> send(files));
        } catch (CancelledException cancelled) {
            log.add("told"); // nothing is left on the other side
            throw cancelled;
        }
    }

    private String send(int files) throws InterruptedException {
        try {
            for (int i = 0; i < files; i++) {
                Activity.heartbeat(i);
                log.add("file " + i);
                Thread.sleep(10);
            }
            return "sent";
        } catch (InterruptedException | CancelledException cancelled) {
            log.add("deleted all files");
            throw cancelled;
        }
    }

    @Test
    void cancelledCallReturnsAfterTheCleanUp() throws Exception {
        try (TestDormouse test = TestDormouse.open(
                TestOptions.DEFAULT.withBlockingActivities(),
                builder -> builder.workflow("upload", Integer.class, String.class, this::upload))) {
            WorkflowHandle<String> handle = test.dormouse().start("upload", "u-1", String.class, 100_000);
            test.block(() -> {
                while (log.isEmpty()) {
                    Thread.onSpinWait();
                }
                return true;
            });
            handle.cancel("not needed");
            assertThat(catchThrowableOfType(RuntimeException.class, handle::result))
                    .hasMessageContaining("not needed");
            assertThat(log).endsWith("deleted all files", "told");
        }
    }
}
