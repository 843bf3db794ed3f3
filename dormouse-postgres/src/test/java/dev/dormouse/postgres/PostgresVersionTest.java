package dev.dormouse.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.Test;

class PostgresVersionTest {
    @Test
    void testsRunOnThePostgresTheBuildAskedFor() throws Exception {
        try (var postgres = EmbeddedPostgres.start();
                var connection = postgres.getPostgresDatabase().getConnection()) {
            assertThat(connection.getMetaData().getDatabaseMajorVersion())
                    .isEqualTo(Integer.getInteger("postgres.major"));
        }
    }
}
