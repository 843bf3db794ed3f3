package dev.dormouse.cli.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.cli.CliResult;
import dev.dormouse.cli.FakeServer;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests as they are sent over HTTP. */
class HttpApiTest {
    private FakeServer server;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer().on("GET /workflows", 200, "{\"items\": []}");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void tokenIsSentInAHeaderAndParametersAreEncoded() {
        CliResult ran = CliResult.runIn(
                CliResult.environment(InstantSource.system(), Map.of("DORMOUSE_TOKEN", "s3cret"), ""),
                "workflow",
                "list",
                "order/ 1",
                "--status",
                "waiting,stuck",
                "--url",
                server.url());
        assertThat(ran.code()).isZero();
        assertThat(server.requests().get(0).line())
                .isEqualTo("GET /api/v1/workflows?prefix=order%2F%201&status=WAITING%2CSTUCK&limit=50");
        assertThat(server.requests().get(0).headers().get("Authorization")).containsExactly("Bearer s3cret");
    }
}
