package dev.dormouse.schedule;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Schedules of workflows and of timers. The simulated time starts at midnight. */
class SchedulesTest {
    private static final Timetable HOURLY = Cron.of("0 * * * *").inZone(ZoneOffset.UTC);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Opens a node with workflows of type "job", which take the time given by their input and log their start. */
    private static Dormouse open(SimulatedDormouse sim) {
        Dormouse dormouse = sim.open(node -> node.workflow("job", Duration.class, String.class, (ctx, takes) -> {
            ctx.step("begin", () -> sim.log(ctx.info().workflowId()));
            ctx.sleep(takes);
            return "done";
        }));
        dormouse.timers().handle("tick", String.class, (text, firing) -> sim.log(text + " " + firing.id()));
        return dormouse;
    }

    private static Schedule jobs(Timetable timetable, Duration each) {
        return Schedule.of(timetable).withWorkflow("job", each);
    }

    private static String at(SimulatedDormouse sim, int hours) {
        return "s-" + midnight(sim).plus(HOUR.multipliedBy(hours));
    }

    private static Instant midnight(SimulatedDormouse sim) {
        return sim.now().minus(sim.elapsed()).truncatedTo(ChronoUnit.HOURS);
    }

    private static void advanceTo(SimulatedDormouse sim, Duration sinceMidnight) {
        sim.advance(Duration.between(sim.now(), midnight(sim).plus(sinceMidnight)));
    }

    // ---- instants

    @Test
    void workflowIsStartedAtEachInstantOnce() {
        simulate(sim -> {
            Dormouse one = open(sim);
            open(sim);
            one.schedules().create("s", jobs(HOURLY, Duration.ZERO));
            advanceTo(sim, HOUR.multipliedBy(5).plus(MINUTE));
            assertThat(sim.log()).containsExactly(at(sim, 1), at(sim, 2), at(sim, 3), at(sim, 4), at(sim, 5));
            ScheduleInfo info = one.schedules().get("s").orElseThrow();
            assertThat(info.next().get(0)).isEqualTo(midnight(sim).plus(HOUR.multipliedBy(6)));
            assertThat(info.next()).hasSize(5);
            assertThat(info.past().get(0).startedId()).isEqualTo(at(sim, 5));
            assertThat(info.target()).isEqualTo("job");
            WorkflowHandle<String> last = one.find(at(sim, 5), String.class).orElseThrow();
            assertThat(sim.result(last)).isEqualTo("done");
        });
    }

    @Test
    void handlerOfTimersIsCalledAtEachInstant() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Interval every = new Interval(Duration.ofMinutes(20), midnight(sim));
            dormouse.schedules().create("s", Schedule.of(every).withTimer("tick", "tock"));
            advanceTo(sim, HOUR.plus(MINUTE));
            Instant midnight = midnight(sim);
            assertThat(sim.log())
                    .containsExactly(
                            "tock s-" + midnight.plus(MINUTE.multipliedBy(20)),
                            "tock s-" + midnight.plus(MINUTE.multipliedBy(40)),
                            "tock s-" + midnight.plus(HOUR));
            assertThat(dormouse.schedules().get("s").orElseThrow().target()).isEqualTo("tick");
        });
    }

    @Test
    @Tag("simulation")
    void longRunningScheduleKeepsAShortHistory() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            dormouse.schedules().create("s", jobs(new Interval(MINUTE, midnight(sim)), Duration.ZERO));
            advanceTo(sim, HOUR.multipliedBy(5).plusSeconds(30));
            assertThat(sim.log()).hasSize(5 * 60).doesNotHaveDuplicates();
            assertThat(dormouse.find("%s", Void.class).orElseThrow().describe().historyLength())
                    .isLessThan(800);
        });
    }

    @Test
    void scheduleSurvivesItsNodes() {
        simulate(sim -> {
            Dormouse one = open(sim);
            one.schedules().create("s", jobs(HOURLY, Duration.ZERO));
            advanceTo(sim, HOUR.plus(MINUTE));
            Dormouse two = open(sim);
            sim.kill(one);
            advanceTo(sim, HOUR.multipliedBy(3).plus(MINUTE));
            assertThat(sim.log()).containsExactly(at(sim, 1), at(sim, 2), at(sim, 3));
            assertThat(two.schedules().get("s")).isPresent();
        });
    }

    @Test
    void jitterDelaysEachRunByLessThanItself() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            dormouse.schedules().create("s", jobs(HOURLY, Duration.ZERO).withJitter(Duration.ofMinutes(30)));
            List<Instant> next = dormouse.schedules().get("s").orElseThrow().next();
            for (int i = 0; i < 5; i++) {
                Instant hour = midnight(sim).plus(HOUR.multipliedBy(i + 1L));
                assertThat(next.get(i)).isBetween(hour, hour.plus(Duration.ofMinutes(30)));
                advanceTo(sim, Duration.between(midnight(sim), next.get(i)).minusSeconds(1));
                assertThat(sim.log()).hasSize(i);
                sim.advance(Duration.ofSeconds(2));
                assertThat(sim.log()).hasSize(i + 1).contains(at(sim, i + 1));
            }
            assertThat(next.stream().map(instant -> instant.toEpochMilli() % 3_600_000))
                    .doesNotHaveDuplicates();
        });
    }

    // ---- overlaps

    private static List<String> overlapping(SimulatedDormouse sim, Overlap overlap) {
        Dormouse dormouse = open(sim);
        dormouse.schedules()
                .create(
                        "s",
                        jobs(HOURLY, Duration.ofMinutes(150))
                                .withOverlap(overlap)
                                .withCatchUp(CatchUp.none()));
        advanceTo(sim, HOUR.multipliedBy(7).plus(MINUTE));
        return sim.log();
    }

    @Test
    void overlappingRunsAreSkipped() {
        simulate(sim -> {
            assertThat(overlapping(sim, Overlap.SKIP)).containsExactly(at(sim, 1), at(sim, 4), at(sim, 7));
        });
    }

    @Test
    void overlappingRunsAreBufferedOnce() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            dormouse.schedules()
                    .create("s", jobs(HOURLY, Duration.ofMinutes(150)).withOverlap(Overlap.BUFFER_ONE));
            advanceTo(sim, HOUR.multipliedBy(3).plus(Duration.ofMinutes(29)));
            assertThat(sim.log()).containsExactly(at(sim, 1));
            sim.advance(MINUTE.multipliedBy(2));
            assertThat(sim.log()).as("when the first has ended").containsExactly(at(sim, 1), at(sim, 2));
            advanceTo(sim, HOUR.multipliedBy(6).plus(MINUTE));
            assertThat(sim.log()).containsExactly(at(sim, 1), at(sim, 2), at(sim, 4));
            assertThat(dormouse.schedules().get("s").orElseThrow().past()).anyMatch(ScheduleInfo.Past::isSkipped);
        });
    }

    @Test
    void overlappingRunsAreAllowed() {
        simulate(sim -> {
            assertThat(overlapping(sim, Overlap.ALLOW_ALL)).hasSize(7);
        });
    }

    @Test
    void runBeforeIsCancelled() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            dormouse.schedules()
                    .create("s", jobs(HOURLY, Duration.ofMinutes(150)).withOverlap(Overlap.CANCEL_PREVIOUS));
            advanceTo(sim, HOUR.multipliedBy(3).plus(MINUTE));
            assertThat(sim.log()).containsExactly(at(sim, 1), at(sim, 2), at(sim, 3));
            assertThat(statuses(dormouse, sim, 3)).containsExactly("CANCELLED", "CANCELLED", "WAITING");
        });
    }

    private static List<String> statuses(Dormouse dormouse, SimulatedDormouse sim, int runs) {
        return Stream.iterate(1, i -> i <= runs, i -> i + 1)
                .map(i -> dormouse.find(at(sim, i), String.class)
                        .orElseThrow()
                        .describe()
                        .status()
                        .name())
                .toList();
    }

    // ---- downtime

    private static List<String> afterTwoDays(SimulatedDormouse sim, CatchUp catchUp) {
        Dormouse one = open(sim);
        one.schedules()
                .create("s", jobs(HOURLY, Duration.ZERO).withCatchUp(catchUp).withOverlap(Overlap.ALLOW_ALL));
        advanceTo(sim, HOUR.plus(MINUTE));
        sim.kill(one);
        advanceTo(sim, HOUR.multipliedBy(49).plus(MINUTE.multipliedBy(30)));
        open(sim);
        sim.advance(MINUTE.multipliedBy(5));
        return sim.log();
    }

    @Test
    void nothingIsMadeUpFor() {
        simulate(sim -> {
            assertThat(afterTwoDays(sim, CatchUp.none())).containsExactly(at(sim, 1));
            sim.advance(HOUR);
            assertThat(sim.log()).containsExactly(at(sim, 1), at(sim, 50));
        });
    }

    @Test
    void lastIsMadeUpFor() {
        simulate(sim -> {
            assertThat(afterTwoDays(sim, CatchUp.one())).containsExactly(at(sim, 1), at(sim, 49));
            sim.advance(HOUR);
            assertThat(sim.log()).containsExactly(at(sim, 1), at(sim, 49), at(sim, 50));
        });
    }

    @Test
    void allWithinAWindowAreMadeUpFor() {
        simulate(sim -> {
            List<String> expected = new ArrayList<>();
            expected.add(at(sim, 1));
            Stream.iterate(40, i -> i <= 49, i -> i + 1).forEach(i -> expected.add(at(sim, i)));
            assertThat(afterTwoDays(sim, CatchUp.all(HOUR.multipliedBy(10))))
                    .containsExactlyInAnyOrderElementsOf(expected);
        });
    }

    // ---- changes

    @Test
    void pausedScheduleStartsNothingAndMakesNothingUp() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            dormouse.schedules().create("s", jobs(HOURLY, Duration.ZERO));
            advanceTo(sim, HOUR.plus(MINUTE));
            dormouse.schedules().pause("s", "holidays");
            ScheduleInfo paused = dormouse.schedules().get("s").orElseThrow();
            assertThat(paused.paused()).isTrue();
            assertThat(paused.note()).isEqualTo("holidays");
            assertThat(paused.next()).isEmpty();
            advanceTo(sim, HOUR.multipliedBy(4).plus(MINUTE));
            dormouse.schedules().resume("s");
            dormouse.schedules().resume("s");
            advanceTo(sim, HOUR.multipliedBy(5).plus(MINUTE));
            assertThat(sim.log()).containsExactly(at(sim, 1), at(sim, 5));
        });
    }

    @Test
    void scheduleIsTriggeredEvenWhileItIsPaused() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            dormouse.schedules().create("s", jobs(HOURLY, Duration.ZERO));
            dormouse.schedules().pause("s", "");
            dormouse.schedules().trigger("s");
            sim.advance(Duration.ofSeconds(5));
            assertThat(sim.log()).hasSize(1);
            assertThat(sim.log().get(0)).startsWith("s-");
        });
    }

    @Test
    void changedScheduleFollowsItsNewTimetable() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            dormouse.schedules().create("s", jobs(HOURLY, Duration.ZERO));
            advanceTo(sim, HOUR.plus(MINUTE));
            Timetable halfPast = Cron.of("30 * * * *").inZone(ZoneOffset.UTC);
            dormouse.schedules().update("s", jobs(halfPast, Duration.ZERO).withIdPrefix("half"));
            advanceTo(sim, HOUR.multipliedBy(2).plus(MINUTE));
            dormouse.schedules().put("s", jobs(HOURLY, Duration.ZERO));
            advanceTo(sim, HOUR.multipliedBy(3).plus(MINUTE));
            assertThat(sim.log())
                    .containsExactly(
                            at(sim, 1), "half-" + midnight(sim).plus(HOUR).plus(Duration.ofMinutes(30)), at(sim, 3));
        });
    }

    @Test
    void pastIsFilledIn() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            dormouse.schedules().create("s", jobs(HOURLY, Duration.ofMinutes(10)));
            Instant from = midnight(sim).minus(HOUR.multipliedBy(4));
            dormouse.schedules().backfill("s", from, midnight(sim).minus(HOUR), Overlap.ALLOW_ALL);
            sim.advance(Duration.ofSeconds(5));
            assertThat(sim.log()).containsExactlyInAnyOrder(at(sim, -4), at(sim, -3), at(sim, -2), at(sim, -1));
        });
    }

    @Test
    void deletedScheduleIsGoneAndItsRunsContinue() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            dormouse.schedules().create("s", jobs(HOURLY, HOUR.multipliedBy(2)));
            advanceTo(sim, HOUR.plus(MINUTE));
            dormouse.schedules().delete("s");
            assertThat(dormouse.schedules().get("s")).isEmpty();
            sim.advance(HOUR.multipliedBy(3));
            assertThat(sim.log()).containsExactly(at(sim, 1));
            assertThat(statuses(dormouse, sim, 1)).containsExactly("COMPLETED");
            dormouse.schedules().create("s", jobs(HOURLY, Duration.ZERO));
            sim.advance(HOUR);
            assertThat(sim.log()).hasSize(2);
        });
    }

    @Test
    void schedulesAreListed() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            for (int i = 0; i < 12; i++) {
                dormouse.schedules().create("s" + i, jobs(HOURLY, Duration.ZERO));
            }
            dormouse.schedules().delete("s3");
            ScheduleList list = dormouse.schedules().list(Optional.empty());
            assertThat(list.schedules())
                    .extracting(ScheduleInfo::id)
                    .hasSize(11)
                    .doesNotContain("s3");
            assertThat(list.next()).isEmpty();
        });
    }

    // ---- bad input

    @Test
    void badInputIsRefused() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Schedules schedules = dormouse.schedules();
            schedules.create("s", jobs(HOURLY, Duration.ZERO));
            Schedule good = jobs(HOURLY, Duration.ZERO);
            Instant now = sim.now();
            assertThat(new Scenario.BadCalls()
                            .add("twice", () -> schedules.create("s", good))
                            .add("no id", () -> schedules.create(null, good))
                            .add("empty id", () -> schedules.create("", good))
                            .add("no schedule", () -> schedules.create("x", null))
                            .add("nothing to do", () -> schedules.create("x", Schedule.of(HOURLY)))
                            .add("no timetable", () -> Schedule.of(null))
                            .add("odd type", () -> Schedule.of(HOURLY).withWorkflow("#x"))
                            .add("odd handler", () -> Schedule.of(HOURLY).withTimer("", null))
                            .add("negative jitter", () -> good.withJitter(HOUR.negated()))
                            .add("negative window", () -> CatchUp.all(HOUR.negated()))
                            .add("no overlap", () -> good.withOverlap(null))
                            .add("unknown pause", () -> schedules.pause("nobody", ""))
                            .add("unknown resume", () -> schedules.resume("nobody"))
                            .add("unknown trigger", () -> schedules.trigger("nobody"))
                            .add("unknown update", () -> schedules.update("nobody", good))
                            .add("unknown delete", () -> schedules.delete("nobody"))
                            .add(
                                    "unknown backfill",
                                    () -> schedules.backfill("nobody", now, now.plus(HOUR), Overlap.SKIP))
                            .add(
                                    "too many",
                                    () -> schedules.backfill(
                                            "s", now, now.plus(HOUR.multipliedBy(2_000)), Overlap.SKIP))
                            .unclear())
                    .isEmpty();
        });
    }
}
