package dev.dormouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class DoctorFindingsTest {

    @Test
    void whatNoLivingNodeExecutesIsAFinding() throws IOException {
        try (FakeServer server = new FakeServer()
                .on("GET /info", 200, "{\"store\": {}}")
                .on("GET /nodes", 200, "{\"items\": []}")
                .on("GET /overview", 200, "{\"unserved\": [{\"text\": \"No living node executes 'x'.\"}]}")) {
            assertThat(Ran.of("doctor", "--url", server.url()).out())
                    .contains("unserved")
                    .contains("No living node executes 'x'.");
        }
    }
}
