package dev.dormouse.cli.timer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.cli.CliResult;
import dev.dormouse.cli.FakeServer;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The bar chart of {@code timer histogram}. */
class TimerHistogramTest {
    private FakeServer server;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void countsOfDueTimersAreDrawnAsBars() {
        server.on("GET /timers/histogram", 200, """
                {"now": "2026-11-16T10:00:00Z", "span": "hour", "total": {"count": 12, "exact": false},
                 "overdue": {"count": 2, "exact": true}, "buckets": [
                 {"from": "2026-11-16T10:00:00Z", "to": "2026-11-16T10:20:00Z", "count": 8},
                 {"from": "2026-11-16T10:20:00Z", "to": "2026-11-16T10:40:00Z", "count": 0},
                 {"from": "2026-11-16T10:40:00Z", "to": "2026-11-16T11:00:00Z", "count": 4}]}""");
        assertThat(CliResult.run("timer", "histogram", "--url", server.url()).out())
                .isEqualTo("""
                        about 12 due within the next hour, 2 overdue
                              8 █
                                █
                                █
                                █
                                █ █
                                █ █
                                █ █
                              0 █ █
                                10:00:00 11:00:00 Z
                        """);
    }
}
