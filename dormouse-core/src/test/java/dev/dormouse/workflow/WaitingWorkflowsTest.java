package dev.dormouse.workflow;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.QueryMethod;
import dev.dormouse.UpdatableTimer;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two example workflows: a reminder race and an auction. */
class WaitingWorkflowsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    interface Desk {
        String ask(String question);

        void remind(String question);
    }

    private record SlowDesk(SimulatedDormouse sim, Duration takes) implements Desk {
        @Override
        public String ask(String question) {
            sim.log("ask");
            sim.advance(takes);
            sim.log("answer at " + sim.now());
            return "42";
        }

        @Override
        public void remind(String question) {
            sim.log("remind");
            sim.log("reminded after " + sim.elapsed().toMinutes());
        }
    }

    private static String race(WorkflowContext ctx, String input) {
        Desk desk = ctx.activities(Desk.class);
        Promise<String> answer = ctx.async(() -> desk.ask("why"));
        Promise<Void> tooLate = ctx.newTimer(Duration.ofMinutes(10));
        Promise.anyOf(answer, tooLate).get();
        if (!answer.isDone()) {
            desk.remind("why");
        }
        return answer.get();
    }

    private static String raceByAwait(WorkflowContext ctx, String input) {
        Desk desk = ctx.activities(Desk.class);
        Promise<String> answer = ctx.async(() -> desk.ask("why"));
        if (!answer.await(Duration.ofMinutes(10))) {
            desk.remind("why");
        }
        return answer.get();
    }

    private static final List<WorkflowFunction<String, String>> RACES =
            List.of(WaitingWorkflowsTest::race, WaitingWorkflowsTest::raceByAwait);

    private static Dormouse openRace(SimulatedDormouse sim, WorkflowFunction<String, String> race, Duration takes) {
        return sim.open(node -> Scenario.with(node, race).activities(Desk.class, new SlowDesk(sim, takes)));
    }

    @Test
    void slowActivityIsRemindedOfOnceAndItsResultIsTheEnd() {
        for (WorkflowFunction<String, String> race : RACES) {
            simulate(sim -> {
                Dormouse dormouse = openRace(sim, race, Duration.ofMinutes(25));
                WorkflowHandle<String> handle = Scenario.start(dormouse);
                assertThat(sim.result(handle)).isEqualTo("42");
                assertThat(sim.count("ask")).isEqualTo(1);
                assertThat(sim.count("remind")).isEqualTo(1);
                assertThat(sim.count("reminded after 10")).isEqualTo(1);
                assertThat(sim.elapsed())
                        .isBetween(
                                Duration.ofMinutes(25), Duration.ofMinutes(25).plusSeconds(3));
                sim.assertStillWorks(dormouse);
            });
        }
    }

    @Test
    void fastActivityIsNeverRemindedOf() {
        for (WorkflowFunction<String, String> race : RACES) {
            simulate(sim -> {
                Dormouse dormouse = openRace(sim, race, Duration.ofMinutes(9));
                WorkflowHandle<String> handle = Scenario.start(dormouse);
                assertThat(sim.result(handle)).isEqualTo("42");
                assertThat(sim.elapsed()).isLessThan(Duration.ofMinutes(9).plusSeconds(3));
                sim.advance(Duration.ofHours(1));
                assertThat(sim.count("remind")).isZero();
                assertThat(handle.describe().status()).isEqualTo(RunStatus.COMPLETED);
            });
        }
    }

    @Test
    void reminderIsSentOnceAlthoughTheNodeDiesBeforeOrAfterIt() {
        for (WorkflowFunction<String, String> race : RACES) {
            for (Duration killAt : List.of(
                    Duration.ZERO,
                    Duration.ofMillis(5),
                    Duration.ofMinutes(5),
                    Duration.ofMinutes(10).minusSeconds(1),
                    Duration.ofMinutes(10).plusSeconds(1),
                    Duration.ofMinutes(24))) {
                simulate(sim -> {
                    Dormouse one = openRace(sim, race, Duration.ofMinutes(25));
                    Scenario.start(one);
                    sim.advance(killAt);
                    sim.kill(one);
                    Dormouse two = openRace(sim, race, Duration.ofMinutes(25));
                    assertThat(sim.result(two.find("w", String.class).orElseThrow()))
                            .isEqualTo("42");
                    assertThat(sim.count("remind")).as("killed at " + killAt).isEqualTo(1);
                });
            }
        }
    }

    @WorkflowInterface
    interface Auction {
        @WorkflowMethod
        String run(Instant close, Instant limit);

        @UpdateMethod
        Instant bid(String who, long amount);

        @QueryMethod
        Instant closesAt();
    }

    static final class AuctionWorkflow implements Auction {
        private final UpdatableTimer timer = Workflow.newUpdatableTimer("close");
        private final SimulatedDormouse sim;
        private final List<String> accepted = new ArrayList<>();
        private Instant limit = Instant.MAX;
        private String winner = "nobody";
        private long best;
        private boolean over;

        AuctionWorkflow(SimulatedDormouse sim) {
            this.sim = sim;
        }

        @Override
        public String run(Instant close, Instant hardLimit) {
            limit = hardLimit;
            timer.sleepUntil(close);
            over = true;
            Workflow.step("settle", () -> sim.advance(Duration.ofMinutes(20)));
            return winner + " of " + accepted;
        }

        @Override
        public Instant bid(String who, long amount) {
            if (over) {
                throw new IllegalStateException("the auction is over");
            }
            Instant quiet = Workflow.now().plus(Duration.ofMinutes(5));
            Instant end = timer.wakeUpTime();
            if (end != null && quiet.isAfter(end)) {
                timer.updateWakeUpTime(quiet.isAfter(limit) ? limit : quiet, who);
            }
            accepted.add(who);
            if (amount > best) {
                best = amount;
                winner = who;
            }
            return timer.wakeUpTime();
        }

        @Override
        public Instant closesAt() {
            return timer.wakeUpTime();
        }
    }

    private static Dormouse openAuction(SimulatedDormouse sim) {
        return sim.open(node -> node.workflow(Auction.class, () -> new AuctionWorkflow(sim)));
    }

    private static void until(SimulatedDormouse sim, Instant instant) {
        sim.advance(Duration.between(sim.now(), instant));
    }

    @Test
    void lateBidsMoveTheEndButNeverBeyondTheHardLimit() {
        simulate(sim -> {
            Dormouse dormouse = openAuction(sim);
            Auction auction = dormouse.workflow(Auction.class, "a");
            Instant start = sim.now();
            Instant close = start.plus(MINUTE.multipliedBy(60));
            Instant limit = close.plus(MINUTE.multipliedBy(12));
            WorkflowHandle<String> handle = dormouse.start(() -> auction.run(close, limit));
            until(sim, start.plus(MINUTE.multipliedBy(10)));
            assertThat(auction.bid("ada", 10)).isEqualTo(close);
            until(sim, close.minus(MINUTE));
            assertThat(auction.bid("bob", 30))
                    .isBetween(
                            close.plus(MINUTE.multipliedBy(4)),
                            close.plus(MINUTE.multipliedBy(4)).plusSeconds(1));
            until(sim, close.plus(MINUTE.multipliedBy(3)));
            assertThat(auction.bid("cyd", 30)).isAfterOrEqualTo(close.plus(MINUTE.multipliedBy(8)));
            until(sim, close.plus(MINUTE.multipliedBy(7).plusSeconds(59)));
            assertThat(auction.bid("dan", 20)).isEqualTo(limit);
            until(sim, limit.minusSeconds(1));
            assertThat(auction.bid("eve", 29)).isEqualTo(limit);
            until(sim, limit.plusSeconds(2));
            Throwable late = catchThrowable(() -> auction.bid("fay", 99));
            assertClear(late, ErrorCode.UPDATE_FAILED);
            assertThat(late).hasMessageContaining("the auction is over");
            assertThat(auction.closesAt()).isEqualTo(limit);
            assertThat(sim.result(handle)).isEqualTo("bob of [ada, bob, cyd, dan, eve]");
            assertThat(Scenario.lateness(limit.plus(MINUTE.multipliedBy(20)), handle))
                    .isBetween(Duration.ZERO, Scenario.CLOSE.multipliedBy(2));
            assertClear(catchThrowable(() -> auction.bid("gus", 99)), ErrorCode.RUN_CLOSED);
            assertThat(auction.closesAt()).isEqualTo(limit);
        });
    }

    @Test
    void bidsWhileAllNodesAreDownCountByTheMomentTheyWereAccepted() {
        simulate(sim -> {
            Dormouse one = openAuction(sim);
            Auction there = one.workflow(Auction.class, "a");
            Instant close = sim.now().plus(MINUTE.multipliedBy(30));
            Instant limit = close.plus(MINUTE.multipliedBy(60));
            one.start(() -> there.run(close, limit));
            sim.advance(MINUTE);
            sim.kill(one);
            Dormouse client = sim.open(node -> node.remoteWorkflow(Auction.class));
            Auction auction = client.workflow(Auction.class, "a");
            List<String> answers = Collections.synchronizedList(new ArrayList<>());
            List<Integer> minutes = List.of(-1, 3, 7, 13, 14);
            for (int minute : minutes) {
                until(sim, close.plus(MINUTE.multipliedBy(minute)));
                sim.inBackground(() -> {
                    try {
                        client.find("a", String.class)
                                .orElseThrow()
                                .updateOnce(
                                        "bid" + minute,
                                        Duration.ofHours(5),
                                        "bid",
                                        Instant.class,
                                        "m" + minute,
                                        100L + minute);
                        answers.add("ok " + minute);
                    } catch (RuntimeException no) {
                        answers.add("no " + minute);
                    }
                });
            }
            sim.advance(MINUTE);
            Dormouse two = openAuction(sim);
            WorkflowHandle<String> handle = two.find("a", String.class).orElseThrow();
            assertThat(sim.result(handle)).isEqualTo("m7 of [m-1, m3, m7]");
            sim.await("answers", () -> answers.size() == 5);
            assertThat(answers).containsExactlyInAnyOrder("ok -1", "ok 3", "ok 7", "no 13", "no 14");
        });
    }

    @Test
    void tenBiddersAtOnceOnTwoNodesAreAllAnsweredAndTheFirstHighestWins() {
        simulate(sim -> {
            Dormouse one = openAuction(sim);
            Dormouse two = openAuction(sim);
            Auction auction = one.workflow(Auction.class, "a");
            Instant close = sim.now().plus(MINUTE.multipliedBy(10));
            WorkflowHandle<String> handle = one.start(() -> auction.run(close, close.plus(MINUTE)));
            until(sim, close.minus(MINUTE));
            List<String> answers = Collections.synchronizedList(new ArrayList<>());
            for (int i = 0; i < 10; i++) {
                String who = "b" + i;
                Dormouse from = i % 2 == 0 ? one : two;
                sim.inBackground(() -> {
                    from.workflow(Auction.class, "a").bid(who, 5);
                    answers.add(who);
                });
            }
            sim.await("answers", () -> answers.size() == 10);
            String result = sim.result(handle);
            assertThat(result.split("[ ,\\[\\]]+")).hasSize(12);
            assertThat(result).startsWith(result.substring(result.indexOf('[') + 1, result.indexOf(',')) + " of");
        });
    }
}
