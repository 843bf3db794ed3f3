package dev.dormouse.cli.timer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.cli.LiveServerTest;
import org.junit.jupiter.api.Test;

/** The {@code timer} commands against a live node. */
class TimerCommandsTest extends LiveServerTest {

    @Test
    void timersAreSetMovedFiredAndCancelled() {
        assertThat(ok("timer", "add", "beep", "{\"n\": 1}", "--in", "2h", "--id", "t-1"))
                .startsWith("Set t-1: PENDING");
        assertThat(ok("timer", "list")).contains("t-1", "timer", "in 1 h 59 min");
        assertThat(ok("timer", "move", "t-1", "--at", "2099-01-01 00:00")).contains("2099-01-01 00:00:00 Z");
        assertThat(ok("timer", "show", "t-1")).contains("handler beep");
        assertThat(ok("timer", "list", "--handler", "beep", "--status", "pending", "-o", "ids"))
                .contains("t-1\n");
        assertThat(ok("timer", "histogram", "--span", "all")).contains(" due");
        assertThat(ok("timer", "fire", "t-1")).startsWith("Fires now: t-1");
        fails(3, "[DM3027]", "timer", "show", "t-none");
        ok("timer", "add", "beep", "--in", "2h", "--id", "t-2");
        assertThat(ok("timer", "cancel", "t-2")).startsWith("Cancelled t-2: CANCELLED");
        fails(4, "[DM3028]", "timer", "fire", "t-2");
    }
}
