package dev.dormouse.schedule;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.RetryPolicy;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.support.CapturedLog;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Schedules whose handler fails. */
class ScheduleRetryTest {
    private static final Timetable EVERY_MINUTE = Cron.of("* * * * *").inZone(ZoneOffset.UTC);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Opens a node with default retries whose handler fails. */
    private static Dormouse open(SimulatedDormouse sim) {
        Dormouse dormouse = sim.open(node -> node.activityOptions(ActivityOptions.DEFAULT));
        dormouse.timers().handle("tick", String.class, (text, firing) -> {
            sim.log(firing.id() + " " + firing.attempt());
            throw new IllegalStateException("no disk");
        });
        return dormouse;
    }

    private static List<String> firstAttempts(SimulatedDormouse sim) {
        return sim.log().stream().filter(line -> line.endsWith(" 1")).toList();
    }

    @Test
    void failingHandlerDoesNotHoldUpTheNextInstantAndIsLogged() {
        simulate(sim -> {
            try (CapturedLog logged = new CapturedLog()) {
                Dormouse dormouse = open(sim);
                dormouse.schedules().create("s", Schedule.of(EVERY_MINUTE).withTimer("tick", "x"));
                sim.advance(MINUTE.multipliedBy(5).plusSeconds(30));
                assertThat(firstAttempts(sim)).hasSize(5);
                assertThat(sim.log().stream().filter(line -> line.endsWith(" 4")))
                        .hasSizeGreaterThanOrEqualTo(4);
                assertThat(dormouse.schedules().get("s").orElseThrow().past()).noneMatch(ScheduleInfo.Past::isSkipped);
                assertThat(logged.about("has failed after ")).hasSizeGreaterThanOrEqualTo(4);
                assertThat(logged.about("Attempt 1 of handler 'tick'")).isNotEmpty();
            }
        });
    }

    @Test
    void failingHandlerDoesNotHoldUpTheNextInstantWithABuffer() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            dormouse.schedules()
                    .create(
                            "s",
                            Schedule.of(EVERY_MINUTE).withTimer("tick", "x").withOverlap(Overlap.BUFFER_ONE));
            sim.advance(MINUTE.multipliedBy(5).plusSeconds(30));
            assertThat(firstAttempts(sim)).hasSize(5);
        });
    }

    @Test
    void policyOfTheScheduleIsUsedUnchangedAndSkippedInstantsAreLogged() {
        simulate(sim -> {
            try (CapturedLog logged = new CapturedLog()) {
                Dormouse dormouse = open(sim);
                dormouse.schedules()
                        .create(
                                "s",
                                Schedule.of(EVERY_MINUTE).withTimer("tick", "x").withRetry(RetryPolicy.DEFAULT));
                sim.advance(MINUTE.multipliedBy(6).plusSeconds(30));
                assertThat(firstAttempts(sim)).hasSize(1);
                assertThat(logged.about("skipped 2 instants")).hasSize(1);
                assertThat(logged.about("skipped 4 instants")).hasSize(1);
                assertThat(logged.about("instants in a row")).hasSize(2);
                assertThat(logged.about("instants in a row").get(0).getFormattedMessage())
                        .contains("Schedule 's'", "Overlap");
            }
        });
    }

    @Test
    void attemptsOfTheScheduleAreCounted() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            dormouse.schedules()
                    .create(
                            "s",
                            Schedule.of(EVERY_MINUTE).withTimer("tick", "x").withRetry(RetryPolicy.NONE));
            sim.advance(MINUTE.multipliedBy(3).plusSeconds(30));
            assertThat(sim.log()).hasSize(3).allMatch(line -> line.endsWith(" 1"));
        });
    }

    @Test
    void timeoutOfTheScheduleEndsAnAttemptThatHangs() {
        simulate(sim -> {
            try (CapturedLog logged = new CapturedLog()) {
                Dormouse dormouse = sim.open(node -> node.activityOptions(ActivityOptions.DEFAULT));
                dormouse.timers().handle("hang", String.class, (text, firing) -> {
                    sim.log(firing.id() + " " + firing.attempt());
                    sim.advance(Duration.ofHours(1));
                });
                dormouse.schedules()
                        .create(
                                "s",
                                Schedule.of(EVERY_MINUTE)
                                        .withTimer("hang", "x")
                                        .withTimeout(Duration.ofSeconds(10))
                                        .withRetry(RetryPolicy.NONE));
                sim.advance(MINUTE.multipliedBy(3).plusSeconds(30));
                assertThat(sim.log()).hasSize(3);
                assertThat(logged.about("DM3016")).hasSize(3);
            }
        });
    }

    @Test
    void retryOfAScheduleThatStartsAWorkflowIsRefused() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Schedule schedule = Schedule.of(EVERY_MINUTE).withWorkflow("job").withRetry(RetryPolicy.NONE);
            assertClear(catchThrowable(() -> dormouse.schedules().create("s", schedule)), ErrorCode.BAD_SCHEDULE);
        });
    }
}
