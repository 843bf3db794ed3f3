package dev.dormouse.failure;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Activity;
import dev.dormouse.ActivityInterface;
import dev.dormouse.ActivityOptions;
import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.QueryMethod;
import dev.dormouse.QueueOptions;
import dev.dormouse.RetryPolicy;
import dev.dormouse.UpdateMethod;
import dev.dormouse.UpdateValidatorMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.ChildFailedException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.WorkflowException;
import dev.dormouse.inspect.ListOptions;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.client.RunAccess;
import dev.dormouse.internal.history.Event;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.timer.TimerId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Encryption of exception messages and stack traces by a codec that encrypts values. */
class SecretFailureTest {
    private static final String SECRET = "card 4111 of ada";
    private static final ActivityOptions TWICE =
            ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withMaxAttempts(2));

    @ActivityInterface
    interface Bank {
        String pay() throws IOException;
    }

    @WorkflowInterface
    interface Asked {
        @WorkflowMethod
        String run();

        @UpdateMethod
        String change(String text);

        @UpdateValidatorMethod(update = "change")
        void check(String text);

        @QueryMethod
        String look();
    }

    private static final class AskedWorkflow implements Asked {
        @Override
        public String run() {
            Workflow.sleep(Duration.ofHours(1));
            return "done";
        }

        @Override
        public String change(String text) {
            throw new IllegalStateException(SECRET);
        }

        @Override
        public void check(String text) {
            if (text.isEmpty()) {
                throw new IllegalArgumentException(SECRET);
            }
        }

        @Override
        public String look() {
            throw new IllegalStateException(SECRET);
        }
    }

    private static IOException problem() {
        return new IOException("refused", new IllegalStateException(SECRET));
    }

    /** Returns all stored data of all runs as text. */
    private static String stored(SimulatedDormouse sim, Dormouse dormouse) {
        StringBuilder all = new StringBuilder();
        for (RunDescription run : dormouse.list(ListOptions.ALL).runs()) {
            RunRow row = sim.store().run(0, run.runId()).orElseThrow();
            all.append(row).append('\n');
            for (HistoryRow part : sim.store().histories(0, List.of(run.runId()))) {
                all.append(new String(part.payload(), StandardCharsets.UTF_8)).append('\n');
            }
        }
        return all.toString();
    }

    private static void assertHidden(SimulatedDormouse sim, Dormouse dormouse) {
        assertThat(stored(sim, dormouse)).contains("IOException").doesNotContain("card 4111", "SecretFailureTest.java");
    }

    private static DormouseBuilder code(DormouseBuilder node) {
        return Scenario.with(node, (ctx, input) -> {
                    String seen;
                    try {
                        ctx.step("pay", TWICE, () -> {
                            throw problem();
                        });
                        seen = "?";
                    } catch (ActivityFailedException failed) {
                        seen = failed.getCause().getCause().getMessage();
                    }
                    ctx.sleep(Duration.ofHours(1));
                    try {
                        ctx.activities(Bank.class, TWICE.withQueue("q")).pay();
                    } catch (ActivityFailedException failed) {
                        seen += ", " + failed.getCause().getCause().getMessage();
                    } catch (IOException never) {
                        seen = "!";
                    }
                    try {
                        ctx.child("failing", "child", ChildOptions.DEFAULT, String.class, "x")
                                .get();
                    } catch (ChildFailedException failed) {
                        seen += ", " + failed.getCause().getCause().getMessage();
                    }
                    assertThat(seen).isEqualTo(SECRET + ", " + SECRET + ", " + SECRET);
                    throw problem();
                })
                .workflow("failing", String.class, String.class, (ctx, input) -> {
                    throw problem();
                })
                .activities(Bank.class, () -> {
                    throw problem();
                })
                .queue("q", QueueOptions.DEFAULT);
    }

    @Test
    void failuresOfStepsActivitiesChildrenAndRunsAreHiddenInTheStoreAndWholeInTheCode() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> code(node).codec(new SecretCodec()));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(Duration.ofMillis(500));
            assertThat(handle.describe().steps().get(0).lastFailure().orElseThrow())
                    .contains(SECRET);
            WorkflowException failed = sim.failure(handle);
            assertThat(failed).hasMessageContaining(SECRET).hasRootCauseMessage(SECRET);
            assertThat(failed.getCause().getStackTrace()).isNotEmpty();
            assertThat(handle.history().toString()).contains(SECRET);
            assertHidden(sim, dormouse);
            assertThat(handle.retry().runId()).isNotEqualTo(handle.runId());
        });
    }

    @Test
    void nodeWithoutTheCodecShowsThatThereIsSomethingItCannotRead() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> code(node).codec(new SecretCodec()));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.failure(handle);
            Dormouse other = sim.open(node -> node);
            WorkflowHandle<String> seen = other.find("w", String.class).orElseThrow();
            WorkflowException failed = sim.failure(seen);
            assertThat(failed).hasMessageContaining("java.io.IOException: (protected by the codec)");
            assertThat(seen.history().toString())
                    .contains("(protected by the codec)")
                    .doesNotContain("card 4111");
            List<Event> events = RunAccess.of(handle).events();
            Dormouse.builder()
                    .workflow("w", String.class, String.class, (ctx, input) -> "no")
                    .codec(new SecretCodec());
            assertThat(events.toString()).doesNotContain("card 4111");
        });
    }

    @Test
    void answersOfUpdatesAndTokensAndQueriesAreHiddenToo() {
        simulate(sim -> {
            String[] token = {""};
            Dormouse dormouse = sim.open(node -> node.codec(new SecretCodec())
                    .workflow(Asked.class, AskedWorkflow::new)
                    .workflow("token", String.class, String.class, (ctx, input) -> {
                        ctx.step("IOException", TWICE.withRetry(RetryPolicy.NONE), () -> {
                            token[0] = Activity.completeLater();
                        });
                        return "?";
                    }));
            Asked stub = dormouse.workflow(Asked.class, "asked");
            dormouse.start(stub::run);
            Throwable change = catchThrowable(() -> stub.change("x"));
            assertClear(change, ErrorCode.UPDATE_FAILED);
            assertThat(change).hasMessageContaining(SECRET);
            assertThat(catchThrowable(() -> stub.change(""))).hasMessageContaining(SECRET);
            Dormouse client = sim.open(node -> node.codec(new SecretCodec()).remoteWorkflow(Asked.class));
            Throwable query =
                    catchThrowable(() -> client.workflow(Asked.class, "asked").look());
            assertClear(query, ErrorCode.QUERY_FAILED);
            assertThat(query).hasMessageContaining(SECRET);
            WorkflowHandle<String> waiting = dormouse.start("token", "token", String.class, "");
            sim.await("a token", () -> !token[0].isEmpty());
            sim.advance(Duration.ofSeconds(1));
            dormouse.failActivity(token[0], problem());
            assertThat(sim.failure(waiting)).hasMessageContaining(SECRET);
            assertHidden(sim, dormouse);
        });
    }

    @Test
    void runThatIsStuckByAnErrorNamesItsClassOnly() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> Scenario.with(node, (ctx, input) -> {
                        throw new OutOfMemoryError("IOException " + SECRET);
                    })
                    .codec(new SecretCodec()));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.awaitStatus(handle, RunStatus.STUCK);
            assertThat(handle.describe().trouble()).contains("OutOfMemoryError").doesNotContain("card 4111");
        });
    }

    @Test
    void failureOfATimerIsHiddenAndShownByItsNode() {
        simulate(sim -> {
            Dormouse dormouse =
                    sim.open(node -> node.codec(new SecretCodec()).activityOptions(ActivityOptions.DEFAULT));
            dormouse.timers().handle("t", String.class, text -> {
                throw problem();
            });
            TimerId id = dormouse.timers().after(Duration.ofMinutes(1), "t", "x");
            sim.advance(Duration.ofMinutes(2));
            assertThat(dormouse.timers().get(id).orElseThrow().lastFailure().orElseThrow())
                    .contains(SECRET);
            assertHidden(sim, dormouse);
        });
    }

    @Test
    void plainCodecKeepsFailuresAsText() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(SecretFailureTest::code);
            sim.failure(Scenario.start(dormouse));
            assertThat(stored(sim, dormouse)).contains(SECRET).contains("SecretFailureTest.java");
        });
    }
}
