package dev.dormouse.commit;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.testing.sim.FaultProfile;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Runs that stay in memory for a while after a message, because more may follow. */
class LingerTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration YEAR = Duration.ofDays(365);
    private static final String BEGINS = "begins";

    /** Concatenates its signals until "end"; logs each start of its code, so that replays are visible. */
    private static WorkflowFunction<String, String> adding(SimulatedDormouse sim) {
        return (ctx, input) -> {
            sim.log(BEGINS);
            StringBuilder heard = new StringBuilder();
            for (String next = ""; !next.equals("end"); heard.append(next)) {
                next = ctx.waitForSignal("say", YEAR).orElseThrow().value(String.class);
            }
            return heard.toString();
        };
    }

    /** Starts a run and waits for a minute. */
    private static WorkflowHandle<String> startAndWait(SimulatedDormouse sim, Dormouse node) {
        WorkflowHandle<String> handle = Scenario.start(node);
        sim.advance(MINUTE);
        return handle;
    }

    @Test
    void mailThatFollowsMailNeedsNoReplay() {
        simulate(sim -> {
            Dormouse node = Scenario.open(sim, adding(sim));
            WorkflowHandle<String> handle = startAndWait(sim, node);
            for (int i = 0; i < 10; i++) {
                handle.signal("say", "" + i);
                sim.advance(SECOND.multipliedBy(4));
            }
            assertThat(handle.describe().status()).isEqualTo(RunStatus.RUNNING);
            handle.signal("say", "end");
            assertThat(sim.result(handle)).isEqualTo("0123456789end");
            assertThat(sim.count(BEGINS))
                    .as("at the start and with the first mail")
                    .isEqualTo(2);
        });
    }

    /** A caller on another node reads the history, because the row does not say which messages the run has taken. */
    @Test
    void updateOfALingeringRunIsAnsweredEvenIfTheNoticeOfTheAnswerIsLost() {
        simulate(sim -> {
            sim.open(builder -> builder.workflow(Counter.class, CounterWorkflow::new))
                    .start("Counter", "c", Void.class);
            Dormouse caller = sim.open(builder -> builder.anyRemoteWorkflow().sweepInterval(Duration.ofMillis(100)));
            assertThat(add(caller)).isEqualTo(1);
            sim.behave(caller, FaultProfile.CALM.withBadNotices(1, 0, Duration.ZERO));
            Duration begun = sim.elapsed();
            assertThat(add(caller)).isEqualTo(2);
            assertThat(sim.elapsed().minus(begun)).isLessThan(SECOND);
            assertThat(caller.handle("c").describe().status()).isEqualTo(RunStatus.RUNNING);
        });
    }

    private static int add(Dormouse caller) {
        return caller.handle("c").update("add", Integer.class, 1);
    }

    @WorkflowInterface
    interface Counter {
        @WorkflowMethod
        void run();

        @UpdateMethod
        int add(int number);
    }

    static final class CounterWorkflow implements Counter {
        private int sum;

        @Override
        public void run() {
            Workflow.await(() -> sum < 0);
        }

        @Override
        public int add(int number) {
            sum += number;
            return sum;
        }
    }

    @Test
    void afterAWhileTheRunIsARowAndNothingElse() {
        simulate(sim -> {
            Dormouse node = Scenario.open(sim, adding(sim));
            WorkflowHandle<String> handle = startAndWait(sim, node);
            assertThat(sim.threads("run w")).isZero();
            handle.signal("say", "a");
            sim.advance(SECOND);
            assertThat(sim.threads("run w")).isEqualTo(1);
            sim.advance(SECOND.multipliedBy(6));
            assertThat(sim.threads("run w")).isZero();
            assertThat(handle.describe().status()).isEqualTo(RunStatus.WAITING);
            assertThat(handle.describe().wakeAt().orElseThrow())
                    .isAfter(sim.now().plus(Duration.ofDays(300)));
            handle.signal("say", "end");
            assertThat(sim.result(handle)).isEqualTo("aend");
        });
    }

    @Test
    void runThatOnlyWaitsDoesNotLinger() {
        simulate(sim -> {
            WorkflowHandle<String> handle = Scenario.start(Scenario.open(sim, adding(sim)));
            sim.await("the wait", () -> handle.describe().status() == RunStatus.WAITING);
            assertThat(sim.elapsed()).isLessThan(SECOND);
        });
    }

    @Test
    void mailToARunThatLingeredOnANodeThatDiedIsTakenByAnother() {
        for (int after : new int[] {0, 1, 10, 100, 1_000, 4_000, 4_990, 5_000, 5_010, 6_000}) {
            simulate(sim -> {
                Dormouse one = Scenario.open(sim, adding(sim));
                WorkflowHandle<String> handle = startAndWait(sim, one);
                handle.signal("say", "a");
                sim.advance(Duration.ofMillis(after));
                sim.kill(one);
                Dormouse two = Scenario.open(sim, adding(sim));
                WorkflowHandle<String> there = two.find("w", String.class).orElseThrow();
                there.signal("say", "b");
                Duration begun = sim.elapsed();
                there.signal("say", "end");
                assertThat(sim.result(there)).isEqualTo("abend");
                assertThat(sim.elapsed().minus(begun))
                        .as("killed after %d ms", after)
                        .isLessThan(SECOND.multipliedBy(26)); // lease and sweep, where it was just claimed
            });
        }
    }

    @Test
    void nodeThatClosesReleasesLingeringRunsAtOnce() {
        simulate(sim -> {
            Dormouse one = Scenario.open(sim, adding(sim));
            WorkflowHandle<String> handle = startAndWait(sim, one);
            handle.signal("say", "a");
            sim.advance(SECOND);
            Duration begun = sim.elapsed();
            one.close();
            assertThat(sim.elapsed().minus(begun)).isLessThan(SECOND);
            Dormouse two = Scenario.open(sim, adding(sim));
            WorkflowHandle<String> there = two.find("w", String.class).orElseThrow();
            there.signal("say", "end");
            assertThat(sim.result(there)).isEqualTo("aend");
        });
    }

    /** Short waits with a deadline take precedence over lingering runs. */
    @Test
    void lingerersLeaveHalfOfTheRoomToSleepers() {
        simulate(sim -> {
            Dormouse node = sim.open(builder -> Scenario.with(builder, adding(sim))
                    .workflow("nap", String.class, String.class, (ctx, input) -> {
                        sim.log("nap begins");
                        ctx.sleep(SECOND.multipliedBy(2));
                        return input;
                    })
                    .maxParked(4));
            for (int i = 0; i < 6; i++) {
                node.start("w", "w" + i, String.class, "").signal("say", "a");
            }
            sim.advance(SECOND);
            assertThat(sim.threads("run w")).isEqualTo(2);
            WorkflowHandle<String> nap = node.start("nap", "n", String.class, "x");
            assertThat(sim.result(nap)).isEqualTo("x");
            assertThat(sim.count("nap begins")).isEqualTo(1);
        });
    }
}
