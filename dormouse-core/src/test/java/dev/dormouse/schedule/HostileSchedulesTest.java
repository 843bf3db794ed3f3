package dev.dormouse.schedule;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.inspect.HistoryEvent;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.testing.sim.FaultProfile;
import dev.dormouse.timer.TimerId;
import dev.dormouse.timer.TimerOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesException;
import java.time.zone.ZoneRulesProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Schedules in unusual situations. */
class HostileSchedulesTest {
    private static final Timetable HOURLY = Cron.of("0 * * * *").inZone(ZoneOffset.UTC);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static DormouseBuilder jobs(SimulatedDormouse sim, DormouseBuilder node) {
        return node.workflow("job", Duration.class, String.class, (ctx, takes) -> {
            ctx.step("begin", () -> sim.log(ctx.info().workflowId()));
            ctx.sleep(takes);
            return "done";
        });
    }

    private static Dormouse open(SimulatedDormouse sim) {
        return sim.open(node -> jobs(sim, node).sweepInterval(Duration.ofMinutes(1)));
    }

    private static Schedule every(Timetable timetable, Duration takes) {
        return Schedule.of(timetable).withWorkflow("job", takes);
    }

    private static Instant midnight(SimulatedDormouse sim) {
        return sim.now().minus(sim.elapsed()).truncatedTo(ChronoUnit.HOURS);
    }

    private static void advanceTo(SimulatedDormouse sim, Duration sinceMidnight) {
        sim.advance(Duration.between(sim.now(), midnight(sim).plus(sinceMidnight)));
    }

    // ---- changes that come before the first line

    private static Dormouse busy(SimulatedDormouse sim) {
        Dormouse dormouse = sim.open(node -> jobs(sim, node)
                .maxExecuting(1)
                .workflow("busy", Duration.class, String.class, (ctx, takes) -> {
                    ctx.step("work", () -> sim.advance(takes));
                    return "done";
                }));
        dormouse.start("busy", "busy", String.class, SECOND.multipliedBy(5));
        sim.advance(SECOND);
        return dormouse;
    }

    @Test
    void pauseBeforeTheFirstLineIsNotLost() {
        simulate(sim -> {
            Dormouse dormouse = busy(sim);
            dormouse.schedules().create("s", every(HOURLY, Duration.ZERO));
            dormouse.schedules().pause("s", "wait");
            advanceTo(sim, HOUR.multipliedBy(3).plus(MINUTE));
            assertThat(dormouse.schedules().get("s").orElseThrow().paused()).isTrue();
            assertThat(sim.log()).isEmpty();
        });
    }

    @Test
    void triggerBeforeTheFirstLineIsNotRefused() {
        simulate(sim -> {
            Dormouse dormouse = busy(sim);
            dormouse.schedules().create("s", every(HOURLY, Duration.ZERO));
            dormouse.schedules().trigger("s");
            sim.advance(MINUTE);
            assertThat(sim.log()).hasSize(1);
        });
    }

    // ---- jitter

    private static Schedule late(SimulatedDormouse sim) {
        return every(Cron.of("0 3 * * *").inZone(ZoneOffset.UTC), Duration.ZERO).withJitter(HOUR.multipliedBy(2));
    }

    @Test
    void puttingTheSameScheduleAgainDuringItsJitterLosesNothing() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            dormouse.schedules().put("s", late(sim));
            Instant next = dormouse.schedules().get("s").orElseThrow().next().get(0);
            sim.advance(Duration.between(sim.now(), next).minusSeconds(10));
            dormouse.schedules().put("s", late(sim));
            sim.advance(HOUR.multipliedBy(3));
            assertThat(sim.log()).as("the run of 03:00, to start at " + next).hasSize(1);
        });
    }

    @Test
    void shortPauseDuringJitterLosesNothing() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            dormouse.schedules().put("s", late(sim));
            Instant next = dormouse.schedules().get("s").orElseThrow().next().get(0);
            sim.advance(Duration.between(sim.now(), next).minusSeconds(10));
            dormouse.schedules().pause("s", "");
            sim.advance(SECOND);
            dormouse.schedules().resume("s");
            sim.advance(HOUR.multipliedBy(3));
            assertThat(sim.log()).as("the run of 03:00, to start at " + next).hasSize(1);
        });
    }

    @Test
    void jitterThatIsLongerThanTheIntervalIsKept() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            dormouse.schedules()
                    .put(
                            "s",
                            every(HOURLY, Duration.ZERO)
                                    .withJitter(HOUR.multipliedBy(6))
                                    .withOverlap(Overlap.ALLOW_ALL));
            List<Instant> announced =
                    dormouse.schedules().get("s").orElseThrow().next();
            advanceTo(sim, HOUR.multipliedBy(12));
            List<Instant> started = new ArrayList<>();
            for (int i = 1; i <= 5; i++) {
                String id = "s-" + midnight(sim).plus(HOUR.multipliedBy(i));
                started.add(dormouse.find(id, String.class)
                        .orElseThrow()
                        .describe()
                        .startedAt()
                        .truncatedTo(ChronoUnit.MINUTES));
            }
            assertThat(started)
                    .isEqualTo(announced.stream()
                            .map(at -> at.truncatedTo(ChronoUnit.MINUTES))
                            .toList());
        });
    }

    // ---- triggers

    @Test
    void eachOfManyTriggersStartsARun() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(FaultProfile.PERFECT, node -> jobs(sim, node));
            dormouse.schedules().create("s", every(HOURLY, Duration.ZERO).withOverlap(Overlap.ALLOW_ALL));
            sim.advance(SECOND);
            List<String> answered = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                sim.inBackground(() -> {
                    dormouse.schedules().trigger("s");
                    answered.add("yes");
                });
            }
            sim.advance(MINUTE);
            assertThat(answered).hasSize(10);
            assertThat(sim.log()).hasSize(10);
        });
    }

    // ---- what ends a schedule forever

    @Test
    void catchUpOfAllEverIsRefusedOrWorks() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            dormouse.schedules()
                    .create(
                            "s",
                            every(HOURLY, Duration.ZERO).withCatchUp(CatchUp.all(ChronoUnit.FOREVER.getDuration())));
            advanceTo(sim, HOUR.multipliedBy(3).plus(MINUTE));
            assertThat(dormouse.schedules().get("s")).isPresent();
            assertThat(sim.log()).hasSize(3);
        });
    }

    @Test
    void anchorBeyondTheRangeOfStoresIsRefusedOrWorks() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            try {
                dormouse.schedules().create("s", every(new Interval(HOUR, Instant.MAX.minus(HOUR)), Duration.ZERO));
            } catch (dev.dormouse.error.DormouseException refused) {
                return;
            }
            sim.advance(MINUTE);
            assertThat(dormouse.schedules().get("s")).isPresent();
        });
    }

    @Test
    @Tag("simulation")
    void scheduleSurvivesAStoreThatDoesNotAnswerWhenItLooksForItsLastRun() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            dormouse.schedules().create("s", every(new Interval(SECOND, midnight(sim)), Duration.ofMillis(1_500)));
            sim.behave(dormouse, FaultProfile.CALM.withUnknown(0.2));
            sim.advance(HOUR);
            sim.behave(dormouse, FaultProfile.CALM);
            sim.advance(MINUTE);
            List<HistoryEvent> events =
                    dormouse.find("%s", Void.class).orElseThrow().history();
            assertThat(dormouse.find("%s", Void.class).orElseThrow().describe().status())
                    .as("" + events.get(events.size() - 1))
                    .isNotEqualTo(RunStatus.FAILED);
        });
    }

    @Test
    void historyStaysShortWhileARunIsBuffered() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> jobs(sim, node).historyLimit(3_000));
            dormouse.schedules()
                    .create(
                            "s",
                            every(new Interval(SECOND, midnight(sim)), HOUR.multipliedBy(24))
                                    .withOverlap(Overlap.BUFFER_ONE));
            sim.advance(HOUR);
            RunDescription run = dormouse.find("%s", Void.class).orElseThrow().describe();
            assertThat(run.status()).isNotEqualTo(RunStatus.STUCK);
            assertThat(run.historyLength()).isLessThan(3_000);
        });
    }

    // ---- time zones

    /** A zone whose rules change, as by an update of the JVM's time zone data. */
    private static final class Moving extends ZoneRulesProvider {
        static volatile ZoneRules rules = ZoneOffset.UTC.getRules();
        static volatile boolean known = true;
        private static boolean registered;

        static synchronized ZoneId zone() {
            if (!registered) {
                registerProvider(new Moving());
                registered = true;
            }
            known = true;
            rules = ZoneOffset.UTC.getRules();
            return ZoneId.of(String.join("/", "Review", "Moving"));
        }

        @Override
        protected Set<String> provideZoneIds() {
            return Set.of("Review/Moving");
        }

        @Override
        @SuppressWarnings("NullAway")
        protected ZoneRules provideRules(String zoneId, boolean forCaching) {
            if (!known) {
                throw new ZoneRulesException("Unknown time-zone ID: " + zoneId);
            }
            return forCaching ? null : rules;
        }

        @Override
        protected NavigableMap<String, ZoneRules> provideVersions(String zoneId) {
            return new TreeMap<>();
        }
    }

    @Test
    void scheduleContinuesAfterItsZoneWasCorrected() {
        ZoneId moving = Moving.zone();
        simulate(sim -> {
            Moving.zone();
            Dormouse one = open(sim);
            one.schedules().create("s", every(Cron.of("0 3,15 * * *").inZone(moving), Duration.ZERO));
            advanceTo(sim, HOUR.multipliedBy(40));
            assertThat(sim.log()).hasSize(4);
            sim.kill(one);
            Moving.rules = ZoneOffset.ofHours(1).getRules();
            Dormouse two = open(sim);
            sim.advance(HOUR.multipliedBy(72));
            assertThat(two.find("%s", Void.class).orElseThrow().describe().status())
                    .isNotEqualTo(RunStatus.STUCK);
            assertThat(sim.log()).hasSizeGreaterThanOrEqualTo(9);
        });
    }

    @Test
    void zoneThatANodeDoesNotKnowEndsNoSchedule() {
        ZoneId moving = Moving.zone();
        simulate(sim -> {
            Moving.zone();
            Dormouse one = open(sim);
            one.schedules().create("s", every(Cron.of("0 3 * * *").inZone(moving), Duration.ZERO));
            one.schedules().create("other", every(HOURLY, Duration.ZERO));
            advanceTo(sim, HOUR.multipliedBy(2));
            sim.kill(one);
            Moving.known = false;
            Dormouse two = open(sim);
            sim.advance(HOUR.multipliedBy(4));
            RunStatus status =
                    two.find("%s", Void.class).orElseThrow().describe().status();
            assertThat(status.isClosed()).as("" + status).isFalse();
        });
    }

    @Test
    void scheduleWithAZoneThatANodeDoesNotKnowDoesNotHideTheOthers() {
        ZoneId moving = Moving.zone();
        simulate(sim -> {
            Moving.zone();
            Dormouse one = open(sim);
            one.schedules().create("s", every(Cron.of("0 3 * * *").inZone(moving), Duration.ZERO));
            one.schedules().create("other", every(HOURLY, Duration.ZERO));
            sim.advance(MINUTE);
            Moving.known = false;
            assertThat(one.schedules().list(java.util.Optional.empty()).schedules())
                    .isNotEmpty();
        });
    }

    // ---- backlog

    @Test
    void longDowntimeOfAFrequentScheduleIsGotOver() {
        simulate(sim -> {
            Dormouse one = open(sim);
            one.schedules()
                    .create("s", every(Cron.of("* * * * * *").inZone(ZoneId.of("Europe/Berlin")), Duration.ZERO));
            sim.advance(SECOND.multipliedBy(3));
            sim.kill(one);
            sim.advance(Duration.ofDays(2_000)); // going through all of them would take minutes
            Dormouse two = open(sim);
            sim.advance(SECOND.multipliedBy(30));
            assertThat(two.schedules().get("s").orElseThrow().next().get(0))
                    .isAfter(sim.now().minus(HOUR));
        });
    }

    @Test
    @Tag("simulation")
    void manyMissedRunsAreStarted() {
        simulate(sim -> {
            Dormouse one = open(sim);
            one.schedules()
                    .create(
                            "s",
                            every(new Interval(SECOND, midnight(sim)), Duration.ZERO)
                                    .withOverlap(Overlap.ALLOW_ALL)
                                    .withCatchUp(CatchUp.all(Duration.ofDays(1))));
            sim.advance(SECOND.multipliedBy(3));
            sim.kill(one);
            sim.log().clear();
            sim.advance(SECOND.multipliedBy(3_000));
            open(sim);
            sim.advance(MINUTE.multipliedBy(5));
            assertThat(sim.log()).hasSizeGreaterThan(3_000);
        });
    }

    // ---- timers of schedules

    @Test
    void bufferedTimerStartsWhenTheOneBeforeIsCancelled() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(UnaryOperator.identity());
            dormouse.schedules()
                    .create("s", Schedule.of(HOURLY).withTimer("unknown", "x").withOverlap(Overlap.BUFFER_ONE));
            advanceTo(sim, HOUR.multipliedBy(2).plus(MINUTE));
            TimerId first = new TimerId("s-" + midnight(sim).plus(HOUR));
            TimerId second = new TimerId("s-" + midnight(sim).plus(HOUR.multipliedBy(2)));
            assertThat(dormouse.timers().get(second)).isEmpty();
            assertThat(dormouse.timers().cancel(first)).isTrue();
            Instant cancelled = sim.now();
            sim.await("the next", () -> dormouse.timers().get(second).isPresent());
            assertThat(Duration.between(cancelled, sim.now())).isLessThan(SECOND);
        });
    }

    @Test
    void previousTimerWithoutAHandlerIsCancelled() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(UnaryOperator.identity());
            dormouse.schedules()
                    .create("s", Schedule.of(HOURLY).withTimer("later", "x").withOverlap(Overlap.CANCEL_PREVIOUS));
            advanceTo(sim, HOUR.multipliedBy(3).plus(MINUTE));
            dormouse.timers().handle("later", String.class, (text, firing) -> sim.log("" + firing.id()));
            sim.advance(MINUTE);
            assertThat(sim.log()).containsExactly("s-" + midnight(sim).plus(HOUR.multipliedBy(3)));
        });
    }

    @Test
    void timersOfASchedulesGoToTheQueueThatTheNodesOptionsName() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.activityOptions(SimulatedDormouse.ONCE.withQueue("q")));
            dormouse.timers().handle("h", String.class, (text, firing) -> sim.log("" + firing.id()));
            dormouse.timers().after(SECOND, "h", TimerOptions.DEFAULT.withId("plain"), "x");
            dormouse.schedules().create("s", Schedule.of(HOURLY).withTimer("h", "x"));
            advanceTo(sim, HOUR.plus(MINUTE));
            assertThat(sim.log()).as("this node serves no queue").isEmpty();
        });
    }

    // ---- continue-as-new

    @Test
    @Tag("simulation")
    void scheduleIsThereEvenWhileItContinuesAsNew() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            dormouse.schedules().create("s", every(HOURLY, Duration.ZERO));
            Instant midnight = midnight(sim);
            dormouse.schedules().backfill("s", midnight.minus(HOUR.multipliedBy(250)), midnight, Overlap.ALLOW_ALL);
            for (int i = 0; i < 1_000; i++) {
                sim.advance(Duration.ofMillis(1));
                assertThat(dormouse.schedules().get("s")).as("look " + i).isPresent();
            }
        });
    }

    @Test
    @Tag("simulation")
    void eachInstantIsServedOnceDespiteFaults() {
        simulate(sim -> {
            FaultProfile bad = FaultProfile.HOSTILE.withCrashes(0);
            UnaryOperator<DormouseBuilder> setUp = node -> jobs(sim, node).activityOptions(ActivityOptions.DEFAULT);
            Dormouse one = sim.open(bad, setUp);
            Dormouse two = sim.open(bad, setUp);
            one.schedules()
                    .create(
                            "s",
                            every(new Interval(SECOND.multipliedBy(10), midnight(sim)), Duration.ZERO)
                                    .withOverlap(Overlap.ALLOW_ALL)
                                    .withCatchUp(CatchUp.all(HOUR)));
            sim.advance(MINUTE.multipliedBy(40));
            sim.behave(one, FaultProfile.CALM);
            sim.behave(two, FaultProfile.CALM);
            sim.advance(MINUTE.multipliedBy(2));
            for (int i = 1; i < 240; i++) {
                String id = "s-" + midnight(sim).plusSeconds(10L * i);
                assertThat(two.find(id, String.class)).as(id).isPresent();
            }
        });
    }

    @Test
    void putAfterDeleteIsNotLost() {
        simulate(sim -> {
            Dormouse one = open(sim);
            Dormouse two = open(sim);
            for (int i = 0; i < 30; i++) {
                one.schedules().put("s", every(HOURLY, Duration.ZERO));
                two.schedules().delete("s");
                one.schedules().put("s", every(HOURLY, Duration.ZERO));
                sim.advance(Duration.ofMillis(100));
                assertThat(two.schedules().get("s")).isPresent();
            }
        });
    }
}
