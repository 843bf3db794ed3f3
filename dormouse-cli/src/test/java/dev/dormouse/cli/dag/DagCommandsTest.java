package dev.dormouse.cli.dag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.cli.CliResult;
import dev.dormouse.cli.LiveServerTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The {@code dag} commands against a live node. */
class DagCommandsTest extends LiveServerTest {

    @Test
    void dagIsValidatedShownAndRun() throws IOException {
        Path file = folder().resolve("rest.json");
        Files.writeString(file, """
                {"name": "rest", "version": 1, "steps": [{"id": "nap", "sleep": {"for": "PT0.01S"}}]}""");
        assertThat(CliResult.run("dag", "validate", file.toString()).out()).contains("ok", "DAG 'rest' version 1");
        CliResult bad = CliResult.runWithInput("{\"name\": \"rest\", \"steps\": [{}]}", "dag", "validate", "-");
        assertThat(bad.code()).isEqualTo(1);
        assertThat(bad.err()).contains("[DM1023]");
        assertThat(ok("dag", "run", file.toString(), "{}", "--id", "rest-1")).startsWith("Started rest-1: ");
        ok("workflow", "result", "rest-1", "--wait", "30s");
        assertThat(ok("dag", "show")).contains("rest");
        assertThat(ok("dag", "show", "rest")).contains("nap", "sleep");
        assertThat(ok("dag", "show", "rest", "--mermaid")).contains("flowchart");
        fails(3, "[DM3026]", "dag", "show", "none");
    }
}
