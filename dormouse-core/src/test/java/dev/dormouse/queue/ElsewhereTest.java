package dev.dormouse.queue;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Activity;
import dev.dormouse.ActivityInterface;
import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.QueueOptions;
import dev.dormouse.RetryPolicy;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.ListOptions;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Activities that other nodes execute or that wait in a queue. */
class ElsewhereTest {
    @ActivityInterface
    interface Left {
        String left(String text);
    }

    @ActivityInterface
    interface Right {
        String right(String text);

        void fail(String text) throws IOException;

        int slow(int seconds);
    }

    /** Activities of another build. */
    private static final class Newer {
        @ActivityInterface(name = "Right")
        interface Right {
            List<String> right(String text);
        }
    }

    private static class Hands implements Left, Right {
        private final SimulatedDormouse sim;
        private final String name;

        Hands(SimulatedDormouse sim, String name) {
            this.sim = sim;
            this.name = name;
        }

        @Override
        public String left(String text) {
            sim.log(name + " left");
            return "<" + text;
        }

        @Override
        public String right(String text) {
            sim.log(name + " right " + Activity.info().workflowId() + " "
                    + Activity.idempotencyKey().endsWith("/Right.right/1"));
            return text + ">";
        }

        @Override
        public void fail(String text) throws IOException {
            throw new IOException(text + " " + Activity.info().attempt());
        }

        @Override
        public int slow(int seconds) {
            for (int i = 0; i < seconds; i++) {
                sim.advance(Duration.ofSeconds(1));
                Activity.heartbeat(i);
            }
            sim.log("slow is done");
            return seconds;
        }
    }

    private static String both(WorkflowContext ctx, String input) {
        String left = ctx.activities(Left.class).left(input);
        ctx.sleep(Duration.ofMinutes(1));
        return ctx.activities(Right.class).right(left);
    }

    private static UnaryOperator<DormouseBuilder> leftNode(SimulatedDormouse sim) {
        return node -> Scenario.with(node, ElsewhereTest::both).activities(Left.class, new Hands(sim, "one"));
    }

    private static UnaryOperator<DormouseBuilder> rightNode(SimulatedDormouse sim) {
        return node -> Scenario.with(node, ElsewhereTest::both).activities(Right.class, new Hands(sim, "two"));
    }

    @Test
    void twoNodesWithDifferentActivitiesCompleteAWorkflowThatNeedsBoth() {
        simulate(sim -> {
            Dormouse one = sim.open(leftNode(sim));
            Dormouse two = sim.open(rightNode(sim));
            assertThat(sim.result(one.start("w", "w1", String.class, "x"))).isEqualTo("<x>");
            assertThat(sim.result(two.start("w", "w2", String.class, "y"))).isEqualTo("<y>");
            assertThat(sim.log())
                    .containsExactlyInAnyOrder("one left", "two right w1 true", "one left", "two right w2 true");
        });
    }

    @Test
    void activityIsLeftToANodeThatIsOnlyThereForIt() {
        simulate(sim -> {
            Dormouse caller = sim.open(node -> Scenario.with(node, ElsewhereTest::both)
                    .activities(Left.class, new Hands(sim, "one"))
                    .remoteActivities(Right.class));
            WorkflowHandle<String> handle = Scenario.start(caller);
            sim.advance(Duration.ofHours(1));
            assertThat(handle.describe().status()).isEqualTo(RunStatus.WAITING);
            sim.open(node -> node.activities(Right.class, new Hands(sim, "two")));
            assertThat(sim.result(handle)).isEqualTo("<>");
        });
    }

    @Test
    void resultOfAnotherShapeFromElsewhereParksTheRun() {
        simulate(sim -> {
            Dormouse caller = sim.open(node -> Scenario.with(node, (ctx, input) -> {
                        try {
                            return ctx.activities(Right.class).right(input);
                        } catch (ActivityFailedException failed) {
                            return "failed";
                        }
                    })
                    .remoteActivities(Right.class));
            sim.open(node -> node.activities(Newer.Right.class, List::of));
            WorkflowHandle<String> handle = Scenario.start(caller);
            sim.awaitStatus(handle, RunStatus.STUCK);
            assertClear(handle.describe().trouble(), ErrorCode.CODE_DOES_NOT_MATCH);
            assertThat(handle.describe().trouble()).contains("step 'Right.right'");
        });
    }

    @Test
    void runWaitsForAnUnknownActivityUntilANodeHasIt() {
        simulate(sim -> {
            Dormouse one = sim.open(leftNode(sim));
            WorkflowHandle<String> handle = Scenario.start(one);
            sim.awaitStatus(handle, RunStatus.STUCK);
            assertClear(handle.describe().trouble(), ErrorCode.UNKNOWN_ACTIVITY);
            sim.open(rightNode(sim));
            assertThat(sim.result(handle)).isEqualTo("<>");
        });
    }

    @Test
    void workflowIsTheSameWhenNodesDieAtAnyMoment() {
        for (int seconds = 0; seconds < 70; seconds += 3) {
            Duration moment = Duration.ofSeconds(seconds).plusMillis(seconds * 7L);
            simulate(sim -> {
                Dormouse one = sim.open(leftNode(sim));
                Dormouse two = sim.open(rightNode(sim));
                Scenario.start(one);
                sim.advance(moment);
                sim.kill(moment.toSeconds() % 2 == 0 ? one : two);
                sim.open(leftNode(sim));
                Dormouse three = sim.open(rightNode(sim));
                assertThat(sim.result(three.find("w", String.class).orElseThrow()))
                        .isEqualTo("<>");
            });
        }
    }

    @Test
    void failureElsewhereComesWithItsAttemptsAndItsCause() {
        simulate(sim -> {
            ActivityOptions three = ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withMaxAttempts(3));
            Dormouse one = Scenario.open(sim, (ctx, input) -> {
                try {
                    ctx.activities(Right.class, three).fail("no");
                    return "?";
                } catch (ActivityFailedException failed) {
                    return failed.step() + " " + failed.attempts() + " "
                            + failed.getCause().getMessage();
                } catch (IOException never) {
                    return "!";
                }
            });
            sim.open(node -> node.activities(Right.class, new Hands(sim, "two")));
            sim.advance(Duration.ofSeconds(20));
            assertThat(sim.result(Scenario.start(one))).isEqualTo("Right.fail 3 no 3");
            assertThat(sim.elapsed()).isBetween(Duration.ofSeconds(23), Duration.ofSeconds(24));
        });
    }

    @Test
    void cancelReachesAnActivityElsewhere() {
        simulate(sim -> {
            Dormouse one = Scenario.open(
                    sim, (ctx, input) -> "" + ctx.activities(Right.class).slow(600));
            sim.open(node -> node.activities(Right.class, new Hands(sim, "two")));
            WorkflowHandle<String> handle = Scenario.start(one);
            sim.advance(Duration.ofSeconds(20));
            handle.cancel("not wanted");
            assertClear(sim.failure(handle), ErrorCode.RUN_CANCELLED);
            sim.advance(Duration.ofMinutes(1));
            RunDescription activity = one.list(ListOptions.ALL).runs().stream()
                    .filter(run -> run.type().equals("#Right.slow"))
                    .findFirst()
                    .orElseThrow();
            assertThat(activity.status()).isIn(RunStatus.CANCELLED, RunStatus.TERMINATED);
            assertThat(sim.log()).isEmpty();
        });
    }

    @Test
    void queueLimitsActivitiesOfManyWorkflows() {
        simulate(sim -> {
            int[] now = {0, 0};
            Right hands = new Hands(sim, "q") {
                @Override
                public int slow(int seconds) {
                    now[1] = Math.max(now[1], ++now[0]);
                    sim.advance(Duration.ofSeconds(seconds));
                    now[0]--;
                    return seconds;
                }
            };
            UnaryOperator<DormouseBuilder> code = node -> node.queue("hands", QueueOptions.DEFAULT.withMaxTotal(2))
                    .activities(Right.class, hands)
                    .workflow(
                            "w",
                            String.class,
                            String.class,
                            (ctx, input) -> ""
                                    + ctx.activities(Right.class, ActivityOptions.DEFAULT.withQueue("hands"))
                                            .slow(5));
            Dormouse one = sim.open(code);
            sim.open(code);
            List<WorkflowHandle<String>> handles = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                handles.add(one.start("w", "w" + i, String.class, ""));
            }
            handles.forEach(handle -> assertThat(sim.result(handle)).isEqualTo("5"));
            assertThat(now[1]).isEqualTo(2);
            assertThat(sim.elapsed()).isLessThan(Duration.ofSeconds(32));
        });
    }

    @Test
    void pausesAndTokensWorkInAQueueToo() {
        simulate(sim -> {
            List<String> tokens = new ArrayList<>();
            Left hands = text -> {
                if (Activity.lastCheckpoint(String.class).isEmpty()) {
                    Activity.checkpoint("paused");
                    return Activity.pause("later", Duration.ofHours(1));
                }
                tokens.add(Activity.completeLater());
                return "";
            };
            Dormouse dormouse = sim.open(node -> Scenario.with(
                            node,
                            (ctx, input) -> ctx.activities(Left.class, ActivityOptions.DEFAULT.withQueue("q"))
                                    .left(input))
                    .queue("q", QueueOptions.DEFAULT.withMaxPerNode(1))
                    .activities(Left.class, hands));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.await("a token", () -> tokens.size() == 1);
            assertThat(sim.elapsed()).isGreaterThan(Duration.ofHours(1));
            sim.advance(Duration.ofHours(1));
            dormouse.completeActivity(tokens.get(0), "by hand");
            assertThat(sim.result(handle)).isEqualTo("by hand");
        });
    }

    @Test
    void activityThatFailsAfterItHandedOutIsTriedAgain() {
        simulate(sim -> {
            List<String> tokens = new ArrayList<>();
            Left hands = text -> {
                tokens.add(Activity.completeLater());
                if (tokens.size() < 3) {
                    throw new IllegalStateException("after it handed out");
                }
                return "";
            };
            ActivityOptions inQueue = ActivityOptions.DEFAULT.withQueue("q");
            Dormouse dormouse = sim.open(node -> Scenario.with(
                            node,
                            (ctx, input) -> ctx.activities(Left.class, inQueue).left(input))
                    .queue("q", QueueOptions.DEFAULT)
                    .activities(Left.class, hands));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.await("three tokens", () -> tokens.size() == 3);
            sim.advance(Duration.ofSeconds(1));
            dormouse.completeActivity(tokens.get(2), "at last");
            assertThat(sim.result(handle)).isEqualTo("at last");
        });
    }

    @Test
    void overloadedActivitiesCannotBeInAQueue() {
        interface Twice {
            void go(String text);

            void go(int number);
        }
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> Scenario.with(node, (ctx, input) -> {
                        ctx.activities(Twice.class, ActivityOptions.DEFAULT.withQueue("q"))
                                .go(1);
                        return "";
                    })
                    .remoteActivities(Twice.class));
            assertThat(sim.failure(Scenario.start(dormouse)))
                    .hasMessageContaining(ErrorCode.BAD_ACTIVITY_INTERFACE.label());
        });
    }
}
