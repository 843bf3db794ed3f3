package dev.dormouse.failure;

import static dev.dormouse.support.SimulatedDormouse.ONCE;
import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.dormouse.Activity;
import dev.dormouse.ActivityInterface;
import dev.dormouse.ActivityOptions;
import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.QueueOptions;
import dev.dormouse.RetryPolicy;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.ApplicationException;
import dev.dormouse.error.ChildFailedException;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.RecordedException;
import dev.dormouse.error.UpdateFailedException;
import dev.dormouse.error.WorkflowException;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Types and details of failures, from the code that throws to all of its callers. */
class ApplicationExceptionTest {
    private static final Decline DECLINE = new Decline("limit", List.of(500, 995));
    private static final ActivityOptions RETRIED = ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT
            .withInitialInterval(Duration.ofMinutes(1))
            .withJitter(0)
            .withMaxAttempts(3));

    /** Details with a generic field, which a raw list or map would lose. */
    record Decline(String reason, List<Integer> amounts) {}

    @ActivityInterface
    interface Bank {
        String pay();
    }

    @WorkflowInterface
    interface Shop {
        @WorkflowMethod
        String open();

        @UpdateMethod
        String buy();
    }

    private static final class ShopWorkflow implements Shop {
        @Override
        public String open() {
            Workflow.sleep(Duration.ofHours(1));
            return "closed";
        }

        @Override
        public String buy() {
            throw declined();
        }
    }

    private static ApplicationException declined() {
        return new ApplicationException("CardDeclined", "not today").withDetails(DECLINE);
    }

    private static void assertDeclined(DormouseException failed) {
        assertThat(failed.isCausedBy("CardDeclined")).isTrue();
        assertThat(failed.isCausedBy("CardLost")).isFalse();
        assertThat(failed.isCausedBy(ApplicationException.class)).isFalse();
        assertThat(failed.details(Decline.class)).contains(DECLINE);
        assertThat(failed).hasMessageContaining("CardDeclined: not today");
    }

    private static DormouseBuilder failing(DormouseBuilder node, UnaryOperator<DormouseBuilder> more) {
        return more.apply(Scenario.with(node, (ctx, input) -> {
                    try {
                        ctx.step("step", ONCE, () -> {
                            throw declined();
                        });
                    } catch (ActivityFailedException failed) {
                        assertDeclined(failed);
                        assertThat(failed.failure().type()).isEqualTo("CardDeclined");
                        assertThat(failed.failure().details(Decline.class)).contains(DECLINE);
                    }
                    ctx.sleep(Duration.ofHours(1));
                    try {
                        ctx.activities(Bank.class, ONCE.withQueue("q")).pay();
                    } catch (ActivityFailedException failed) {
                        assertDeclined(failed);
                    }
                    try {
                        ctx.child("child", "child", ChildOptions.DEFAULT, String.class, "")
                                .get();
                    } catch (ChildFailedException failed) {
                        assertDeclined(failed);
                        assertThat(failed.failure().orElseThrow().type())
                                .isEqualTo(ActivityFailedException.class.getName());
                        throw failed;
                    }
                    return "?";
                })
                .workflow("child", String.class, String.class, (ctx, input) -> {
                    ctx.activities(Bank.class).pay();
                    return "?";
                })
                .workflow(Shop.class, ShopWorkflow::new)
                .activities(Bank.class, () -> {
                    throw new ApplicationException("PaymentFailed", "no", declined());
                })
                .queue("q", QueueOptions.DEFAULT));
    }

    @Test
    void typeAndDetailsReachWorkflowsParentsAndClients() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> failing(node, more -> more));
            WorkflowException failed = sim.failure(Scenario.start(dormouse));
            assertDeclined(failed);
            assertThat(failed.isCausedBy("PaymentFailed")).isTrue();
            assertThat(failed.isCausedBy(ChildFailedException.class)).isTrue();
        });
    }

    @Test
    void detailsAreEncodedByTheCodecAndTypesArePlainText() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> failing(node, more -> more.codec(new SecretCodec())));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            assertThat(sim.failure(handle).details(Decline.class)).contains(DECLINE);
            StringBuilder stored = new StringBuilder();
            for (HistoryRow part : sim.store().histories(0, List.of(handle.runId()))) {
                stored.append(new String(part.payload(), StandardCharsets.UTF_8));
            }
            assertThat(stored).contains("CardDeclined").doesNotContain("amounts", "not today");
        });
    }

    @Test
    void detailsAreTheSameAfterACrash() {
        Scenario.returnsWhenKilled("limit", Duration.ofMinutes(2), sim -> (ctx, input) -> {
            try {
                ctx.step("pay", ONCE, () -> {
                    throw declined();
                });
                return "?";
            } catch (ActivityFailedException failed) {
                ctx.sleep(Duration.ofMinutes(2));
                return failed.details(Decline.class).orElseThrow().reason();
            }
        });
    }

    @Test
    void updateHandlersAndHoldersOfTokensAttachDetailsToo() {
        simulate(sim -> {
            String[] token = {""};
            Dormouse dormouse = sim.open(node -> failing(node, more -> more)
                    .workflow("token", String.class, String.class, (ctx, input) -> {
                        ctx.step("wait", ONCE, () -> {
                            token[0] = Activity.completeLater();
                        });
                        return "?";
                    }));
            Shop shop = dormouse.workflow(Shop.class, "shop");
            dormouse.start(shop::open);
            UpdateFailedException refused = catchThrowableOfType(UpdateFailedException.class, shop::buy);
            assertDeclined(refused);
            assertThat(refused.failure().details(Decline.class)).contains(DECLINE);
            WorkflowHandle<String> waiting = dormouse.start("token", "token", String.class, "");
            sim.await("a token", () -> !token[0].isEmpty());
            sim.advance(Duration.ofSeconds(1));
            dormouse.failActivity(token[0], declined());
            assertDeclined(sim.failure(waiting));
        });
    }

    /** Asserts when the attempts of a step begin that fails with {@code problem}. */
    private static void assertAttempts(ActivityOptions options, ApplicationException problem, Integer... minutes) {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.step("pay", options, () -> {
                    sim.log("" + sim.elapsed().plusSeconds(10).toMinutes()); // clocks are inaccurate
                    throw problem;
                });
                return "?";
            });
            sim.failure(Scenario.start(dormouse));
            assertThat(sim.log().stream().map(Integer::valueOf)).containsExactly(minutes);
        });
    }

    @Test
    void exceptionDecidesAboutTheNextAttempt() {
        assertAttempts(RETRIED, declined(), 0, 1, 2);
        assertAttempts(RETRIED, declined().nonRetryable(), 0);
        assertAttempts(RETRIED, declined().withRetryAfter(Duration.ofMinutes(10)), 0, 10, 20);
    }

    @Test
    void retryPolicyStopsAtATypeOrAtTheClass() {
        RetryPolicy policy = RETRIED.retry();
        assertAttempts(RETRIED.withRetry(policy.withNonRetryable("CardDeclined")), declined(), 0);
        assertAttempts(RETRIED.withRetry(policy.withNonRetryable("CardLost")), declined(), 0, 1, 2);
        assertAttempts(RETRIED.withRetry(policy.withNonRetryable(ApplicationException.class)), declined(), 0);
    }

    /** Runs a step that fails with details that cannot be stored, and returns the failure of its run. */
    private static WorkflowException stepWith(SimulatedDormouse sim, Object details, Consumer<Dormouse> also) {
        Dormouse dormouse = sim.open(node -> Scenario.with(node, (ctx, input) -> {
                    ctx.step("pay", RETRIED, () -> {
                        sim.log("attempt");
                        throw new IllegalStateException(
                                new ApplicationException("CardDeclined", "not today").withDetails(details));
                    });
                    return "?";
                })
                .payloadLimit(1_000));
        also.accept(dormouse);
        return sim.failure(Scenario.start(dormouse));
    }

    @Test
    void detailsThatCannotBeStoredFailTheStepForGoodWithTheCodeOfOtherPayloads() {
        Map<ErrorCode, Object> refused =
                Map.of(ErrorCode.PAYLOAD_TOO_LARGE, "x".repeat(1_001), ErrorCode.PAYLOAD_NOT_SERIALIZABLE, (Runnable)
                        () -> {});
        refused.forEach((code, details) -> simulate(sim -> {
            WorkflowException failed = stepWith(sim, details, dormouse -> {});
            assertThat(sim.count("attempt")).isEqualTo(1);
            assertClear(failed.getCause().getCause().getMessage(), code);
            assertThat(failed.isCausedBy(DormouseException.class)).isTrue();
            assertThat(failed.isCausedBy("CardDeclined")).isTrue();
            assertThat(failed.details(String.class)).isEmpty();
        }));
    }

    @Test
    void detailsThatCannotBeStoredAreRefusedWhereverTheyAreThrown() {
        simulate(sim -> {
            ApplicationException large = declined().withDetails("x".repeat(1_001));
            Dormouse dormouse = sim.open(node -> Scenario.with(node, (ctx, input) -> {
                        throw large;
                    })
                    .payloadLimit(1_000));
            WorkflowException failed = sim.failure(Scenario.start(dormouse));
            assertClear(failed.getCause().getMessage(), ErrorCode.PAYLOAD_TOO_LARGE);
            assertThat(failed.isCausedBy("CardDeclined")).isTrue();
            assertClear(catchThrowable(() -> dormouse.failActivity("any", large)), ErrorCode.PAYLOAD_TOO_LARGE);
        });
    }

    @Test
    void workflowThatReadsDetailsAsAnotherTypeWaitsForOtherCode() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                try {
                    ctx.step("pay", ONCE, () -> {
                        throw declined();
                    });
                    return "?";
                } catch (ActivityFailedException failed) {
                    return "" + failed.details(Integer.class);
                }
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.awaitStatus(handle, RunStatus.STUCK);
            assertThat(handle.describe().trouble())
                    .contains("DM4001", "the details of a CardDeclined", "java.lang.Integer");
        });
    }

    @Test
    void clientsThatReadDetailsAsAnotherTypeGetAClearError() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                throw declined();
            });
            WorkflowException failed = sim.failure(Scenario.start(dormouse));
            assertClear(catchThrowable(() -> failed.details(Integer.class)), ErrorCode.PAYLOAD_DOES_NOT_FIT);
            assertClear(catchThrowable(() -> failed.details(List.class)), ErrorCode.BAD_ARGUMENT);
        });
    }

    @Test
    void failureWithoutDetailsHasNone() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                throw new ApplicationException("CardDeclined", "not today")
                        .withDetails(DECLINE)
                        .withDetails(null);
            });
            WorkflowException failed = sim.failure(Scenario.start(dormouse));
            assertThat(failed.details(Decline.class)).isEmpty();
            assertThat(failed.isCausedBy("CardDeclined")).isTrue();
        });
    }

    @Test
    void exceptionsThatATestCreatesHaveDetails() {
        ActivityFailedException failed =
                new ActivityFailedException("Bank.pay", 1, "CardDeclined: not today", RecordedException.of(declined()));
        assertDeclined(failed);
        assertClear(catchThrowable(() -> failed.details(Integer.class)), ErrorCode.PAYLOAD_DOES_NOT_FIT);
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                throw failed;
            });
            assertDeclined(sim.failure(Scenario.start(dormouse)));
        });
    }

    @Test
    void typeIsRequired() {
        for (String type : new String[] {null, "", " "}) {
            assertClear(catchThrowable(() -> new ApplicationException(type, "x")), ErrorCode.BAD_ARGUMENT);
        }
        assertClear(catchThrowable(() -> declined().withRetryAfter(null)), ErrorCode.BAD_ARGUMENT);
    }
}
