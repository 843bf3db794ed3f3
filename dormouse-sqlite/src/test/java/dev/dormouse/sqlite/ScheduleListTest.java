package dev.dormouse.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.schedule.Interval;
import dev.dormouse.schedule.Schedule;
import dev.dormouse.schedule.ScheduleInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Lists look at a bounded number of rows: schedules are found all the same. */
class ScheduleListTest {
    private static final int NEWER = 6_000;

    @Test
    void schedulesAreOnTheFirstPageAlthoughManyRunsAreNewer() {
        try (Dormouse dormouse = Dormouse.builder().store("sqlite::memory:").open()) {
            dormouse.schedules()
                    .create(
                            "nightly",
                            Schedule.of(new Interval(Duration.ofHours(1), Instant.EPOCH))
                                    .withTimer("ring", "x"));
            for (int i = 0; i < NEWER; i++) {
                dormouse.timers().after(Duration.ofDays(1), "ring", i);
            }
            assertThat(dormouse.schedules().list(Optional.empty()).schedules())
                    .extracting(ScheduleInfo::id)
                    .containsExactly("nightly");
        }
    }
}
