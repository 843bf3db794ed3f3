package dev.dormouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Commands on PostgreSQL, beside nodes that execute. */
class PostgresTest {

    @Test
    void commandsWorkBesideNodes() throws IOException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofSeconds(60))
                .start()) {
            String store = "jdbc:postgresql://localhost:" + postgres.getPort() + "/postgres?user=postgres";
            Ran missing = Ran.of("doctor", "--store", store);
            assertThat(missing.code()).isEqualTo(1);
            assertThat(missing.out()).contains("✗ schema", "dormouse migrate");
            assertThat(Ran.of("migrate", "--store", store).out()).isEqualTo("The tables were brought up to date.\n");
            Desk desk = new Desk();
            DormouseBuilder builder = Dormouse.builder().store(store);
            desk.register(builder);
            try (Dormouse dormouse = builder.open()) {
                desk.opened(dormouse);
                Ran ran = Ran.of(
                        "workflow", "run", "greeting", "\"Ada\"", "--id", "g", "--timeout", "30s", "--store", store);
                assertThat(ran.out()).as(ran.err()).isEqualTo("\"Hello, Ada!\"\n");
                assertThat(Ran.of("workflow", "list", "--store", store).out()).contains("COMPLETED");
                Ran doctor = Ran.of("doctor", "--store", store);
                assertThat(doctor.out()).contains("✓ permissions", "✓ nodes").doesNotContain("✗");
                assertThat(Ran.of("workflow", "query", "g", "none", "--store", store)
                                .code())
                        .isNotZero();
            }
        }
    }

    @Test
    void databaseThatIsNotThereIsOneSentence() {
        String store = "jdbc:postgresql://localhost:1/nothing?user=nobody&password=secret";
        Ran list = Ran.of("workflow", "list", "--store", store);
        assertThat(list.code()).isEqualTo(5);
        assertThat(list.err()).startsWith("dormouse: [DM2005]").doesNotContain("\tat ", "secret");
        Ran doctor = Ran.of("doctor", "--store", store);
        assertThat(doctor.code()).isEqualTo(1);
        assertThat(doctor.out()).contains("✗ reachable").doesNotContain("secret");
    }
}
