package dev.dormouse.cli.term;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.cli.CliResult;
import dev.dormouse.cli.FakeServer;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Line breaks and colors on terminals. */
class TerminalOutputTest {
    private static final String RUNS =
            "{\"items\": [{\"workflowId\": \"order-17\", \"type\": \"order\", \"status\": \"WAITING\"}], \"next\": null}";

    private FakeServer server;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer().on("GET /workflows", 200, RUNS);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void errorsWrapBetweenWords() {
        CliResult ran = CliResult.runOnTerminal(
                40, Map.of("DORMOUSE_URL", server.url()), "timer", "add", "x", "--in", "1 parsec");
        assertThat(ran.err().lines()).hasSizeGreaterThan(1).allMatch(line -> line.length() <= 40);
    }

    @Test
    void colorsAreOnlyPrintedOnATerminalAndNotWithNoColor() {
        Map<String, String> url = Map.of("DORMOUSE_URL", server.url());
        assertThat(CliResult.runOnTerminal(80, url, "workflow", "list").out()).contains("\u001b[34mWAITING\u001b[0m");
        assertThat(CliResult.runOnTerminal(
                                80, Map.of("DORMOUSE_URL", server.url(), "NO_COLOR", "1"), "workflow", "list")
                        .out())
                .doesNotContain("\u001b");
        assertThat(CliResult.runOnTerminal(
                                40, Map.of("DORMOUSE_URL", server.url(), "NO_COLOR", "1"), "workflow", "list")
                        .out()
                        .lines())
                .allMatch(line -> line.length() <= 58); // columns have a minimum width
    }
}
