package dev.dormouse.timer;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.RetryPolicy;
import dev.dormouse.error.DormouseException;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.testing.sim.FaultProfile;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Timers in unusual situations. */
class HostileTimersTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static Dormouse slow(SimulatedDormouse sim) {
        Dormouse dormouse = sim.open(node -> node.closeGrace(SECOND));
        dormouse.timers().handle("slow", String.class, (text, firing) -> {
            sim.log("begun " + firing.attempt());
            sim.advance(Duration.ofMinutes(1));
            sim.log("done");
        });
        return dormouse;
    }

    @Test
    void handlerThatOutlivesItsNodeIsNotCancelledAsIfItHadNeverBegun() {
        simulate(sim -> {
            Dormouse one = slow(sim);
            Dormouse two = sim.open(UnaryOperator.identity());
            TimerId id = one.timers().after(SECOND, "slow", "x");
            sim.advance(SECOND.multipliedBy(5));
            assertThat(sim.log()).containsExactly("begun 1");
            one.close();
            boolean cancelled = two.timers().cancel(id);
            sim.advance(Duration.ofMinutes(5));
            assertThat(cancelled && sim.log().contains("done"))
                    .as("cancelled " + cancelled + " " + sim.log())
                    .isFalse();
        });
    }

    @Test
    void timerWhoseHandlerWasCalledIsNotRescheduledAfterItsNodeClosed() {
        simulate(sim -> {
            Dormouse one = slow(sim);
            Dormouse two = sim.open(UnaryOperator.identity());
            TimerId id = one.timers().after(SECOND, "slow", "x");
            sim.advance(SECOND.multipliedBy(5));
            one.close();
            assertThat(two.timers().reschedule(id, sim.now().plus(Duration.ofHours(1))))
                    .as("its handler was called: " + sim.log())
                    .isFalse();
        });
    }

    @Test
    void timerWhoseHandlerHasKilledTwoNodesIsNotRescheduled() {
        simulate(sim -> {
            Dormouse watch = sim.open(UnaryOperator.identity());
            Dormouse one = slow(sim);
            TimerId id = watch.timers().after(SECOND, "slow", "x");
            sim.advance(SECOND.multipliedBy(5));
            sim.kill(one);
            Dormouse two = slow(sim);
            sim.await("second attempt", () -> sim.log().size() == 2);
            sim.kill(two);
            Dormouse three = slow(sim);
            for (int i = 0; i < 200 && sim.log().size() == 2; i++) {
                sim.advance(Duration.ofMillis(200));
                boolean changed = watch.timers().reschedule(id, sim.now().plus(Duration.ofHours(1)));
                assertThat(changed).as("its handler was called: " + sim.log()).isFalse();
            }
            three.close();
        });
    }

    @Test
    void cancelBetweenTwoAttemptsThatAreCloseToEachOtherEndsTheRetries() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(UnaryOperator.identity());
            dormouse.timers().handle("bad", String.class, text -> {
                sim.log("tried");
                throw new IllegalStateException("never");
            });
            RetryPolicy often = RetryPolicy.DEFAULT
                    .withInitialInterval(SECOND.multipliedBy(4))
                    .withBackoffCoefficient(1)
                    .withJitter(0);
            TimerId id = dormouse.timers().after(SECOND, "bad", TimerOptions.DEFAULT.withRetry(often), "x");
            sim.await("an attempt", () -> sim.count("tried") == 1);
            sim.advance(SECOND);
            assertThat(dormouse.timers().get(id).orElseThrow().status()).isEqualTo(TimerStatus.PENDING);
            assertThat(dormouse.timers().cancel(id)).as("no handler is at work").isTrue();
        });
    }

    @Test
    void workflowWithAMarkedIdDoesNotSwallowATimer() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(SimulatedDormouse::echo);
            dormouse.timers().handle("h", String.class, text -> sim.log("fired"));
            try {
                dormouse.start("echo", "!mine", String.class, "x");
                dormouse.timers().after(SECOND, "h", TimerOptions.DEFAULT.withId("mine"), "x");
            } catch (DormouseException refused) {
                return;
            }
            sim.advance(Duration.ofMinutes(1));
            assertThat(sim.log()).containsExactly("fired");
        });
    }

    @Test
    void handlerThatCouldNotBeRegisteredCanBeRegisteredAgain() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(UnaryOperator.identity());
            sim.behave(dormouse, FaultProfile.CALM.withUnknown(1));
            boolean failed = false;
            try {
                dormouse.timers().handle("h", String.class, text -> sim.log("fired"));
            } catch (RuntimeException noAnswer) {
                failed = true;
            }
            sim.behave(dormouse, FaultProfile.CALM);
            if (failed) {
                dormouse.timers().handle("h", String.class, text -> sim.log("fired"));
            }
            dormouse.timers().after(SECOND, "h", "x");
            sim.advance(Duration.ofMinutes(1));
            assertThat(sim.log()).containsExactly("fired");
        });
    }

    @Test
    void failedTimerIsRetriedAndListed() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(UnaryOperator.identity());
            dormouse.timers().handle("once", String.class, text -> {
                sim.log("tried");
                if (sim.log().size() == 1) {
                    throw new IllegalStateException("not yet");
                }
            });
            TimerId id = dormouse.timers()
                    .after(SECOND, "once", TimerOptions.DEFAULT.withId("t").withRetry(RetryPolicy.NONE), "x");
            sim.advance(Duration.ofMinutes(1));
            assertThat(dormouse.timers().get(id).orElseThrow().status()).isEqualTo(TimerStatus.FAILED);
            dormouse.find("!t", Void.class).orElseThrow().retry();
            sim.advance(Duration.ofMinutes(1));
            assertThat(sim.log()).hasSize(2);
            assertThat(dormouse.timers().get(id).orElseThrow().status()).isEqualTo(TimerStatus.FIRED);
            dormouse.timers().list(TimerListOptions.ALL);
            dormouse.find("!t", Void.class).orElseThrow().reset(1);
            sim.advance(Duration.ofMinutes(1));
            dormouse.timers().list(TimerListOptions.ALL);
            assertThat(sim.log()).hasSize(3);
        });
    }

    @Test
    void resetOfATimerThatWaitsForItsFirstAttemptDoesNotFireItEarly() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(UnaryOperator.identity());
            dormouse.timers().handle("h", String.class, text -> sim.log("fired"));
            dormouse.timers().after(Duration.ofHours(1), "h", TimerOptions.DEFAULT.withId("t"), "x");
            try {
                dormouse.find("!t", Void.class).orElseThrow().reset(1);
            } catch (DormouseException refused) {
                sim.log().clear();
            }
            sim.advance(Duration.ofMinutes(30));
            assertThat(sim.log()).as("before its hour").isEmpty();
        });
    }

    @Test
    void timerThatGetsSignalsIsNotEarly() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(UnaryOperator.identity());
            dormouse.timers().handle("h", String.class, text -> sim.log("fired"));
            TimerId id = dormouse.timers().after(Duration.ofHours(1), "h", TimerOptions.DEFAULT.withId("t"), "x");
            dormouse.find("!t", Void.class).orElseThrow().signal("hello", "x");
            sim.advance(Duration.ofMinutes(30));
            assertThat(sim.log()).as("before its hour").isEmpty();
            assertThat(dormouse.timers().reschedule(id, sim.now().plus(SECOND))).isTrue();
            sim.advance(SECOND.multipliedBy(3));
            assertThat(sim.log()).containsExactly("fired");
        });
    }

    @Test
    void cancelledTimerNeverFiresDespiteFaults() {
        simulate(sim -> {
            FaultProfile bad = FaultProfile.HOSTILE.withCrashes(0);
            List<Dormouse> nodes = List.of(
                    sim.open(UnaryOperator.identity()),
                    sim.open(UnaryOperator.identity()),
                    sim.open(UnaryOperator.identity()));
            Set<String> cancelled = new HashSet<>();
            nodes.forEach(node -> node.timers().handle("h", String.class, text -> {
                sim.log(text + (cancelled.contains(text) ? " after its cancellation" : ""));
                sim.advance(Duration.ofMillis(3));
            }));
            nodes.forEach(node -> sim.behave(node, bad));
            for (int i = 0; i < 400; i++) {
                String name = "t" + i;
                Dormouse node = nodes.get(i % 3);
                Dormouse other = nodes.get((i + 1) % 3);
                try {
                    TimerId id =
                            node.timers().after(Duration.ofMillis(40), "h", TimerOptions.DEFAULT.withId(name), name);
                    sim.advance(Duration.ofMillis(30 + i % 20));
                    if (other.timers().cancel(id)) {
                        cancelled.add(name);
                    }
                } catch (DormouseException noAnswer) {
                    sim.advance(Duration.ofMillis(10));
                }
            }
            nodes.forEach(node -> sim.behave(node, FaultProfile.CALM));
            sim.advance(Duration.ofMinutes(2));
            assertThat(sim.log()).noneMatch(line -> line.contains("after"));
            for (int i = 0; i < 400; i++) {
                String name = "t" + i;
                Optional<TimerInfo> timer = nodes.get(0).timers().get(new TimerId(name));
                if (timer.isPresent() && !cancelled.contains(name)) {
                    assertThat(timer.get().status()).as(name).isIn(TimerStatus.FIRED, TimerStatus.CANCELLED);
                } else if (timer.isPresent()) {
                    assertThat(timer.get().status()).as(name).isEqualTo(TimerStatus.CANCELLED);
                    assertThat(sim.log()).doesNotContain(name);
                }
            }
        });
    }
}
