package dev.dormouse.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PostgresVersionTest {
    @Test
    void testsRunOnThePostgresTheBuildAskedFor() {
        assertThat(TestPostgres.query("select current_setting('server_version_num')::int / 10000"))
                .isEqualTo(System.getProperty("postgres.major"));
    }

    @Test
    void testsRunOnAPostgresThatIsAsDurableAsInProduction() {
        for (String setting : List.of("fsync", "synchronous_commit", "full_page_writes", "autovacuum")) {
            assertThat(TestPostgres.query("show " + setting)).as(setting).isEqualTo("on");
        }
    }
}
