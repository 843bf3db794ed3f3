package dev.dormouse.examples.cron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.schedule.Cron;
import dev.dormouse.schedule.ScheduleInfo;
import dev.dormouse.schedule.Timetable;
import dev.dormouse.testing.DormouseExtension;
import dev.dormouse.testing.TestDormouse;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CleanupTest {
    private static final Timetable AT_THREE = Cron.of("0 3 * * *").inZone(ZoneId.of("Europe/Berlin"));

    private final List<Instant> cleaned = new ArrayList<>();
    private boolean diskFails;

    @RegisterExtension
    final DormouseExtension kit = DormouseExtension.of(
            builder -> builder.workflow(Cleanup.class, CleanupWorkflow::new).activities(Disk.class, this::clean));

    private int clean(String folder, Instant instant) {
        if (diskFails) {
            diskFails = false;
            throw ActivityFailedException.retryAfter(Duration.ofHours(30)); // the job stays open until then
        }
        cleaned.add(instant);
        return 1;
    }

    @Test
    void jobRunsEveryNightAndSurvivesARestart(TestDormouse test) {
        CleanupSchedule.set(test.dormouse(), AT_THREE);
        test.advance(Duration.ofHours(36));
        CleanupSchedule.set(test.restart(), AT_THREE);
        test.advance(Duration.ofHours(36));
        assertThat(cleaned)
                .containsExactly(
                        Instant.parse("2030-01-01T02:00:00Z"),
                        Instant.parse("2030-01-02T02:00:00Z"),
                        Instant.parse("2030-01-03T02:00:00Z"));
    }

    @Test
    void nightIsSkippedWhileThePreviousJobStillRuns(TestDormouse test) {
        CleanupSchedule.set(test.dormouse(), AT_THREE);
        diskFails = true;
        test.advance(Duration.ofHours(54));
        assertThat(cleaned)
                .containsExactly(Instant.parse("2030-01-01T02:00:00Z"), Instant.parse("2030-01-03T02:00:00Z"));
        ScheduleInfo info = test.dormouse().schedules().get(CleanupSchedule.ID).orElseThrow();
        assertThat(info.past()).filteredOn(ScheduleInfo.Past::isSkipped).hasSize(1);
    }
}
