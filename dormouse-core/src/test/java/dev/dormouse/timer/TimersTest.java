package dev.dormouse.timer;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Activity;
import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.RetryPolicy;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.base.Micros;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Standalone timers. */
class TimersTest {
    private static final Duration HOUR = Duration.ofHours(1);

    /** The payload of a timer. */
    record Session(String user, int number) {}

    private static Dormouse open(SimulatedDormouse sim) {
        Dormouse dormouse = sim.open(UnaryOperator.identity());
        dormouse.timers().handle("expire", Session.class, session -> sim.log("expired " + session.user()));
        return dormouse;
    }

    private static TimerInfo awaitStatus(SimulatedDormouse sim, Dormouse dormouse, TimerId id, TimerStatus status) {
        sim.await(
                id + " to be " + status,
                () -> dormouse.timers().get(id).orElseThrow().status() == status);
        return dormouse.timers().get(id).orElseThrow();
    }

    // ---- firing

    @Test
    void timerFiresOnceAndOnTime() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Instant at = sim.now().plus(HOUR);
            TimerId id = dormouse.timers().at(at, "expire", new Session("ada", 1));
            TimerInfo pending = dormouse.timers().get(id).orElseThrow();
            assertThat(pending.status()).isEqualTo(TimerStatus.PENDING);
            assertThat(pending.fireAt()).contains(Micros.roundUp(at));
            assertThat(pending.handler()).isEqualTo("expire");
            sim.advance(Duration.between(sim.now(), at).minusMillis(1));
            assertThat(sim.log()).isEmpty();
            TimerInfo fired = awaitStatus(sim, dormouse, id, TimerStatus.FIRED);
            assertThat(Duration.between(at, fired.endedAt().orElseThrow())).isBetween(Duration.ZERO, Scenario.CLOSE);
            sim.advance(HOUR);
            assertThat(sim.log()).containsExactly("expired ada");
            assertThat(fired.fireAt()).isEmpty();
        });
    }

    @Test
    void whatHasPassedFiresAtOnce() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            dormouse.timers().at(sim.now().minus(HOUR), "expire", new Session("a", 1));
            dormouse.timers().at(Instant.EPOCH, "expire", new Session("b", 1));
            dormouse.timers().after(Duration.ZERO, "expire", new Session("c", 1));
            dormouse.timers().after(HOUR.negated(), "expire", new Session("d", 1));
            sim.advance(Duration.ofSeconds(1));
            assertThat(sim.log()).containsExactlyInAnyOrder("expired a", "expired b", "expired c", "expired d");
        });
    }

    @Test
    void timerSurvivesTheDeathOfItsNodeAndFiresWhenANodeIsThere() {
        simulate(sim -> {
            Dormouse one = open(sim);
            TimerId id = one.timers().after(HOUR, "expire", new Session("ada", 1));
            sim.kill(one);
            sim.advance(HOUR.multipliedBy(3));
            Dormouse two = open(sim);
            awaitStatus(sim, two, id, TimerStatus.FIRED);
            assertThat(sim.log()).containsExactly("expired ada");
        });
    }

    @Test
    void manyTimersFireOnceEachOnSeveralNodesOfWhichOneDies() {
        simulate(sim -> {
            List<Dormouse> nodes = List.of(open(sim), open(sim), open(sim));
            for (int i = 0; i < 150; i++) {
                nodes.get(i % 3).timers().after(Duration.ofMillis(5_000 + i * 20L), "expire", new Session("u" + i, i));
            }
            sim.advance(Duration.ofMillis(6_500));
            sim.kill(nodes.get(0));
            sim.advance(Duration.ofMinutes(1));
            Map<String, Integer> times = new HashMap<>();
            sim.log().forEach(line -> times.merge(line, 1, Integer::sum));
            assertThat(times).hasSize(150);
            assertThat(times.values().stream().filter(count -> count > 1).count())
                    .as("that were in the handler when their node died")
                    .isLessThan(10);
        });
    }

    @Test
    void handlerThatIsAddedLaterGetsDueTimers() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            TimerId id = dormouse.timers().after(Duration.ofSeconds(1), "later", "x");
            sim.advance(HOUR);
            assertThat(dormouse.timers().get(id).orElseThrow().status()).isEqualTo(TimerStatus.PENDING);
            assertThat(dormouse.timers().list(TimerListOptions.of("later")).timers())
                    .hasSize(1);
            dormouse.timers().handle("later", String.class, (text, firing) -> sim.log(text + firing.attempt()));
            awaitStatus(sim, dormouse, id, TimerStatus.FIRED);
            assertThat(sim.log()).containsExactly("x1");
        });
    }

    @Test
    void timersOfUnknownHandlersAreLeftToOtherNodes() {
        simulate(sim -> {
            Dormouse one = open(sim);
            Dormouse two = sim.open(UnaryOperator.identity());
            two.timers().handle("other", Void.class, nothing -> sim.log("other"));
            one.timers().after(HOUR, "other", null);
            two.timers().after(HOUR, "expire", new Session("ada", 1));
            sim.advance(HOUR.plusSeconds(1));
            assertThat(sim.log()).containsExactlyInAnyOrder("other", "expired ada");
        });
    }

    // ---- failing

    @Test
    void handlerThatFailsIsTriedAgainByItsPolicy() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(UnaryOperator.identity());
            List<String> keys = new ArrayList<>();
            dormouse.timers().handle("shaky", String.class, (text, firing) -> {
                sim.log(firing.attempt() + " at " + sim.elapsed().toSeconds());
                keys.add(firing.id() + " " + firing.idempotencyKey() + " " + Activity.idempotencyKey());
                if (firing.attempt() < 4) {
                    throw new IllegalStateException("not yet");
                }
            });
            TimerId id = dormouse.timers()
                    .after(
                            Duration.ofSeconds(10),
                            "shaky",
                            TimerOptions.DEFAULT
                                    .withId("mine")
                                    .withKey("order 7")
                                    .withRetry(RetryPolicy.DEFAULT.withJitter(0)),
                            "x");
            sim.advance(Duration.ofSeconds(12));
            TimerInfo waiting = dormouse.timers().get(id).orElseThrow();
            assertThat(waiting.status()).isEqualTo(TimerStatus.PENDING);
            assertThat(waiting.attempts()).isEqualTo(2);
            assertThat(waiting.lastFailure().orElseThrow()).contains("not yet");
            assertThat(waiting.key()).contains("order 7");
            assertThat(dormouse.timers().list(TimerListOptions.ALL).timers()).containsExactly(waiting);
            awaitStatus(sim, dormouse, id, TimerStatus.FIRED);
            assertThat(sim.log()).containsExactly("1 at 10", "2 at 11", "3 at 13", "4 at 17");
            assertThat(keys.stream().distinct()).hasSize(1);
            assertThat(keys.get(0)).startsWith("mine ");
        });
    }

    @Test
    void timerWhoseAttemptsAreUsedUpHasFailedWithTheReason() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(UnaryOperator.identity());
            dormouse.timers().handle("bad", String.class, text -> {
                throw new IllegalStateException("never");
            });
            TimerOptions twice = TimerOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withMaxAttempts(2));
            TimerId id = dormouse.timers().after(Duration.ofSeconds(1), "bad", twice, "x");
            TimerInfo failed = awaitStatus(sim, dormouse, id, TimerStatus.FAILED);
            assertThat(failed.attempts()).isEqualTo(2);
            assertThat(failed.lastFailure().orElseThrow()).contains("never");
            assertThat(failed.endedAt()).isPresent();
            assertThat(dormouse.timers().list(TimerListOptions.ALL).timers()).containsExactly(failed);
        });
    }

    @Test
    void handlerThatHangsIsTimedOutAndDelaysNoOther() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            dormouse.timers().handle("hang", String.class, (text, firing) -> {
                if (firing.attempt() == 1) {
                    sim.advance(HOUR.multipliedBy(10));
                }
                sim.log("hung " + firing.attempt());
            });
            TimerOptions timed =
                    TimerOptions.DEFAULT.withTimeout(Duration.ofSeconds(5)).withRetry(RetryPolicy.DEFAULT);
            TimerId id = dormouse.timers().after(Duration.ofSeconds(1), "hang", timed, "x");
            dormouse.timers().after(Duration.ofSeconds(2), "expire", new Session("ada", 1));
            sim.advance(Duration.ofSeconds(3));
            assertThat(sim.log()).containsExactly("expired ada");
            awaitStatus(sim, dormouse, id, TimerStatus.FIRED);
            assertThat(sim.log()).containsExactly("expired ada", "hung 2");
        });
    }

    @Test
    void nodeThatDiesInAHandlerLeadsToAnotherAttempt() {
        simulate(sim -> {
            UnaryOperator<Dormouse> slow = dormouse -> {
                dormouse.timers().handle("slow", String.class, (text, firing) -> {
                    sim.log("begun " + firing.attempt());
                    sim.advance(Duration.ofSeconds(3));
                    sim.log("done " + firing.attempt());
                });
                return dormouse;
            };
            Dormouse one = slow.apply(sim.open(UnaryOperator.identity()));
            TimerId id = one.timers().after(Duration.ofSeconds(1), "slow", "x");
            sim.await("the handler", () -> sim.count("begun 1") == 1);
            sim.kill(one);
            Dormouse two = slow.apply(sim.open(UnaryOperator.identity()));
            awaitStatus(sim, two, id, TimerStatus.FIRED);
            assertThat(sim.log()).containsExactly("begun 1", "begun 2", "done 2");
        });
    }

    @Test
    void payloadThatDoesNotFitIsRefusedWhereTheHandlerIsKnownAndElseHoldsUpItsTimerAlone() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Dormouse client = sim.open(UnaryOperator.identity());
            Throwable refused = catchThrowable(
                    () -> dormouse.timers().after(Duration.ofSeconds(1), "expire", List.of("no", "session")));
            assertClear(refused, ErrorCode.PAYLOAD_DOES_NOT_FIT);
            TimerId id = client.timers().after(Duration.ofSeconds(1), "expire", List.of("no", "session"));
            dormouse.timers().after(Duration.ofSeconds(1), "expire", new Session("ada", 1));
            awaitStatus(sim, dormouse, id, TimerStatus.STUCK);
            assertThat(sim.log()).containsExactly("expired ada");
        });
    }

    // ---- changing

    @Test
    void cancelledTimerNeverFires() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            TimerId id = dormouse.timers().after(HOUR, "expire", new Session("ada", 1));
            assertThat(dormouse.timers().cancel(id)).isTrue();
            assertThat(dormouse.timers().cancel(id)).as("it still never fires").isTrue();
            assertThat(dormouse.timers().reschedule(id, sim.now())).isFalse();
            assertThat(dormouse.timers().fireNow(id)).isFalse();
            sim.advance(HOUR.multipliedBy(2));
            assertThat(sim.log()).isEmpty();
            assertThat(dormouse.timers().get(id).orElseThrow().status()).isEqualTo(TimerStatus.CANCELLED);
        });
    }

    @Test
    void cancelComesTooLateWhenTheHandlerIsAtWorkOrDone() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(UnaryOperator.identity());
            dormouse.timers().handle("slow", String.class, text -> {
                sim.log("begun");
                sim.advance(Duration.ofSeconds(3));
            });
            TimerId id = dormouse.timers().after(Duration.ofSeconds(1), "slow", "x");
            sim.await("the handler", () -> sim.count("begun") == 1);
            assertThat(dormouse.timers().get(id).orElseThrow().status()).isEqualTo(TimerStatus.FIRING);
            assertThat(dormouse.timers().cancel(id)).isFalse();
            assertThat(dormouse.timers().fireNow(id)).isFalse();
            awaitStatus(sim, dormouse, id, TimerStatus.FIRED);
            assertThat(dormouse.timers().cancel(id)).isFalse();
        });
    }

    @Test
    void cancelBetweenTwoAttemptsEndsTheRetries() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(UnaryOperator.identity());
            dormouse.timers().handle("bad", String.class, text -> {
                sim.log("tried");
                throw new IllegalStateException("never");
            });
            TimerOptions forEver = TimerOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT);
            TimerId id = dormouse.timers().after(Duration.ofSeconds(1), "bad", forEver, "x");
            sim.advance(Duration.ofSeconds(20));
            long tried = sim.count("tried");
            assertThat(dormouse.timers().cancel(id)).isTrue();
            sim.advance(HOUR);
            assertThat(sim.count("tried")).isEqualTo(tried).isGreaterThan(2);
        });
    }

    @Test
    void rescheduledTimerFiresAtItsNewInstantOnly() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Dormouse other = open(sim);
            TimerId earlier = dormouse.timers().after(HOUR, "expire", new Session("earlier", 1));
            TimerId later = dormouse.timers().after(HOUR, "expire", new Session("later", 1));
            sim.advance(Duration.ofMinutes(1));
            assertThat(other.timers().reschedule(earlier, sim.now().plus(Duration.ofMinutes(9))))
                    .isTrue();
            assertThat(dormouse.timers().reschedule(later, sim.now().plus(HOUR.multipliedBy(2))))
                    .isTrue();
            sim.advance(Duration.ofMinutes(9).minusSeconds(1));
            assertThat(sim.log()).isEmpty();
            sim.advance(Duration.ofSeconds(2));
            assertThat(sim.log()).containsExactly("expired earlier");
            sim.advance(HOUR);
            assertThat(sim.log()).hasSize(1);
            sim.advance(HOUR);
            assertThat(sim.log()).containsExactly("expired earlier", "expired later");
        });
    }

    @Test
    void timerCanBeFiredNow() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            TimerId id = dormouse.timers().after(HOUR, "expire", new Session("ada", 1));
            assertThat(dormouse.timers().fireNow(id)).isTrue();
            sim.advance(Duration.ofSeconds(1));
            assertThat(sim.log()).containsExactly("expired ada");
            sim.advance(HOUR);
            assertThat(sim.log()).hasSize(1);
        });
    }

    @Test
    void cancelAndFiringRaceAndOneOfThemWins() {
        for (int millis = 980; millis < 1_030; millis += 3) {
            Duration when = Duration.ofMillis(millis);
            simulate(sim -> {
                Dormouse dormouse = open(sim);
                Dormouse other = open(sim);
                TimerId id = dormouse.timers().after(Duration.ofSeconds(1), "expire", new Session("ada", 1));
                sim.advance(when);
                boolean cancelled = other.timers().cancel(id);
                sim.advance(HOUR);
                assertThat(sim.log()).hasSize(cancelled ? 0 : 1);
            });
        }
    }

    // ---- ids

    @Test
    void sameIdTwiceIsOneTimer() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Timers timers = dormouse.timers();
            TimerOptions mine = TimerOptions.DEFAULT.withId("mine");
            TimerId id = timers.after(HOUR, "expire", mine, new Session("first", 1));
            assertThat(timers.after(Duration.ofSeconds(1), "expire", mine, new Session("second", 1)))
                    .isEqualTo(id);
            sim.advance(HOUR.multipliedBy(2));
            timers.after(Duration.ZERO, "expire", mine, new Session("third", 1));
            sim.advance(HOUR);
            assertThat(sim.log()).containsExactly("expired first");
            timers.after(Duration.ZERO, "expire", mine.withIdReuse(IdReuse.START_NEW), new Session("fourth", 1));
            sim.advance(HOUR);
            assertThat(sim.log()).containsExactly("expired first", "expired fourth");
        });
    }

    @Test
    void timersAreNoWorkflowsAndWorkflowsAreNoTimers() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(SimulatedDormouse::echo);
            dormouse.start("echo", "mine", String.class, "x");
            assertThat(dormouse.timers().get(new TimerId("mine"))).isEmpty();
            assertThat(dormouse.timers().cancel(new TimerId("mine"))).isFalse();
            TimerId id = dormouse.timers().after(HOUR, "h", TimerOptions.DEFAULT.withId("mine"), null);
            assertThat(dormouse.timers().cancel(id)).isTrue();
            assertThat(dormouse.timers().list(TimerListOptions.ALL).timers())
                    .extracting(TimerInfo::id)
                    .containsExactly(id);
        });
    }

    @Test
    void timersAreListedByPageHandlerAndStatus() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Timers timers = dormouse.timers();
            for (int i = 0; i < 25; i++) {
                timers.after(HOUR, i % 2 == 0 ? "expire" : "other", TimerOptions.DEFAULT.withId("t" + i), null);
            }
            timers.cancel(new TimerId("t0"));
            List<String> found = new ArrayList<>();
            TimerListOptions which = TimerListOptions.of("expire")
                    .withStatuses(TimerStatus.PENDING)
                    .withLimit(5);
            Optional<String> page = Optional.empty();
            do {
                TimerList list = timers.list(page.map(which::withPage).orElse(which));
                list.timers().forEach(timer -> found.add(timer.id().value()));
                page = list.next();
            } while (page.isPresent());
            assertThat(found).hasSize(12).doesNotHaveDuplicates().doesNotContain("t0", "t1");
            assertThat(timers.list(TimerListOptions.ALL.withIdPrefix("t2").withLimit(100))
                            .timers())
                    .hasSize(6);
        });
    }

    // ---- bad input

    /** A value that contains itself. */
    private static List<Object> endless() {
        List<Object> itself = new ArrayList<>();
        itself.add(itself);
        return itself;
    }

    @Test
    void badInputIsRefused() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Timers timers = dormouse.timers();
            assertThat(new Scenario.BadCalls()
                            .add("no instant", () -> timers.at(null, "expire", null))
                            .add("no delay", () -> timers.after(null, "expire", null))
                            .add("no handler", () -> timers.after(HOUR, null, null))
                            .add("empty handler", () -> timers.after(HOUR, "", null))
                            .add("odd handler", () -> timers.after(HOUR, "#x", null))
                            .add("no options", () -> timers.after(HOUR, "expire", null, null))
                            .add("empty id", () -> TimerOptions.DEFAULT.withId(""))
                            .add("long id", () -> TimerOptions.DEFAULT.withId("x".repeat(501)))
                            .add("odd id", () -> TimerOptions.DEFAULT.withId("x\0"))
                            .add("no id", () -> timers.cancel(null))
                            .add("too far", () -> timers.at(Instant.MAX, "expire", null))
                            .add("too long", () -> timers.after(Duration.ofSeconds(Long.MAX_VALUE), "expire", null))
                            .add("not to be written", () -> timers.after(HOUR, "expire", endless()))
                            .add("too large", () -> timers.after(HOUR, "expire", "x".repeat(3 << 20)))
                            .add("twice", () -> timers.handle("expire", String.class, text -> {}))
                            .add(
                                    "no type",
                                    () -> timers.handle("y", (Class<Object>) null, (TimerAction<Object>) text -> {}))
                            .add("no action", () -> timers.handle("y", String.class, (TimerAction<String>) null))
                            .add("no page", () -> timers.list(TimerListOptions.ALL.withPage("nonsense")))
                            .add("empty page", () -> TimerListOptions.ALL.withLimit(0))
                            .add("taken", () -> {
                                TimerOptions mine =
                                        TimerOptions.DEFAULT.withId("mine").withIdReuse(IdReuse.REJECT);
                                timers.after(HOUR, "expire", mine, null);
                                timers.after(HOUR, "expire", mine, null);
                            })
                            .unclear())
                    .isEmpty();
            dormouse.close();
            assertClear(catchThrowable(() -> timers.after(HOUR, "expire", null)), ErrorCode.DORMOUSE_CLOSED);
        });
    }

    @Test
    void farFutureIsKept() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            TimerId id = dormouse.timers().at(Micros.MAX, "expire", new Session("ada", 1));
            sim.advance(Duration.ofDays(1));
            assertThat(dormouse.timers().get(id).orElseThrow().fireAt()).contains(Micros.MAX);
            assertThat(sim.log()).isEmpty();
        });
    }
}
