package dev.dormouse.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.cli.CliResult;
import dev.dormouse.cli.FakeServer;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class DoctorFindingsTest {

    @Test
    void unservedWorkIsAFinding() throws IOException {
        try (FakeServer server = new FakeServer()
                .on("GET /info", 200, "{\"store\": {}}")
                .on("GET /nodes", 200, "{\"items\": []}")
                .on("GET /overview", 200, "{\"unserved\": [{\"text\": \"No living node executes 'x'.\"}]}")) {
            assertThat(CliResult.run("doctor", "--url", server.url()).out())
                    .contains("unserved")
                    .contains("No living node executes 'x'.");
        }
    }

    @Test
    void silentAndDeadNodesAreAFinding() throws IOException {
        try (FakeServer server = new FakeServer()
                .on("GET /info", 200, "{\"store\": {}}")
                .on(
                        "GET /nodes",
                        200,
                        "{\"items\": [{\"id\": \"a\", \"alive\": true, \"silent\": false}, "
                                + "{\"id\": \"b\", \"alive\": true, \"silent\": true, \"seenAt\": \"2026-11-16T09:59:33Z\"}, "
                                + "{\"id\": \"c\", \"alive\": false, \"seenAt\": \"2026-11-16T09:30:00Z\"}]}")
                .on("GET /overview", 200, "{}")) {
            assertThat(CliResult.run("doctor", "--url", server.url()).out())
                    .contains("! nodes")
                    .contains(
                            "1 is alive, 1 is silent: b, last seen 2026-11-16T09:59:33Z, 1 died or stood still within "
                                    + "the last hour: c, last seen 2026-11-16T09:30:00Z");
        }
    }

    @Test
    void storeOutageFailsDoctorAndSkipsOtherChecks() throws IOException {
        try (FakeServer server = new FakeServer()
                .on(
                        "GET /info",
                        200,
                        "{\"store\": {}, \"outages\": [{\"cause\": \"away\", \"text\": \"The store cannot be reached.\"}]}")) {
            CliResult doctor = CliResult.run("doctor", "--url", server.url());
            assertThat(doctor.code()).isEqualTo(1);
            assertThat(doctor.out())
                    .contains("✓ reachable", "✗ store", "The store cannot be reached.")
                    .doesNotContain("404");
        }
    }

    @Test
    void failedRequestKeepsEarlierFindings() throws IOException {
        String problem =
                "{\"error\": {\"code\": \"DM2005\", \"name\": \"STORE_UNAVAILABLE\", \"message\": \"No answer.\"}}";
        try (FakeServer server =
                new FakeServer().on("GET /info", 200, "{\"store\": {}}").on("GET /nodes", 503, problem)) {
            CliResult doctor = CliResult.run("doctor", "--url", server.url());
            assertThat(doctor.code()).isEqualTo(1);
            assertThat(doctor.out()).contains("✓ reachable", "✗ answers", "No answer.");
        }
    }
}
