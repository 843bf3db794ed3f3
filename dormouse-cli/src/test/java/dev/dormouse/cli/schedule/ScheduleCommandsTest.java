package dev.dormouse.cli.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.cli.LiveServerTest;
import org.junit.jupiter.api.Test;

/** The {@code schedule} commands against a live node. */
class ScheduleCommandsTest extends LiveServerTest {

    @Test
    void schedulesAreCreatedPausedTriggeredAndDeleted() {
        assertThat(ok(
                        "schedule",
                        "create",
                        "s-1",
                        "--cron",
                        "0 9 * * MON-FRI",
                        "--zone",
                        "Europe/Berlin",
                        "--workflow",
                        "greeting",
                        "\"you\""))
                .startsWith("Created s-1: 0 9 * * MON-FRI (Europe/Berlin), active, next ");
        fails(4, "s-1", "schedule", "create", "s-1", "--every", "1h", "--timer", "beep");
        assertThat(ok("schedule", "list")).contains("s-1", "greeting");
        assertThat(ok("schedule", "next", "s-1").lines()).hasSize(6);
        assertThat(ok("schedule", "next", "--every", "15m").lines()).hasSize(6);
        assertThat(ok("schedule", "pause", "s-1", "--note", "holidays")).isEqualTo("Paused s-1.\n");
        assertThat(ok("schedule", "show", "s-1")).contains("paused", "holidays");
        ok("schedule", "resume", "s-1");
        assertThat(ok("schedule", "trigger", "s-1")).startsWith("Triggered s-1");
        ok("schedule", "backfill", "s-1", "--from", "2026-01-05T00:00:00Z", "--to", "2026-01-06T00:00:00Z");
        assertThat(ok("schedule", "delete", "s-1")).isEqualTo("Deleted s-1.\n");
        fails(3, "[DM3023]", "schedule", "show", "s-1");
        fails(2, "nonsense", "schedule", "next", "--cron", "nonsense");
    }
}
