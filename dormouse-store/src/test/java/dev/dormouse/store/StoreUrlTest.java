package dev.dormouse.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StoreUrlTest {

    @Test
    void nothingIsHiddenWhereNothingIsSecret() {
        for (String url : List.of(
                "",
                "nonsense",
                "sqlite:trial.db",
                "sqlite::memory:",
                "sqlite:my keys/trial.db",
                "jdbc:postgresql://db:5432/x",
                "jdbc:postgresql://[::1]:5432,db/x?user=ada&connectTimeout=5",
                "jdbc:postgresql://db/x?user=ada@acme.com&sslmode=require")) {
            assertThat(StoreUrl.masked(url)).isEqualTo(url);
        }
    }

    @Test
    void passwordsAreHidden() {
        assertThat(StoreUrl.masked("jdbc:postgresql://db/x?user=u&password=geheim"))
                .isEqualTo("jdbc:postgresql://db/x?user=u&password=***");
        assertThat(StoreUrl.masked("postgres://u:geheim@db/x")).isEqualTo("postgres://***@db/x");
        assertThat(StoreUrl.masked("sqlite:x.db?password=geheim")).isEqualTo("sqlite:x.db?password=***");
    }

    @Test
    void passwordsAreHiddenInWhateverShapeTheyCome() {
        for (String url : List.of(
                "jdbc:postgresql://u:geheim@db/x",
                "jdbc:postgresql://u:geheim@db:5432/x?user=u",
                "jdbc:postgresql:u:geheim@db/x",
                "postgresql://u:ge/geheim@db/x",
                "postgresql://u:x@geheim@db/x",
                "postgres://u:x?geheim@db/x",
                "postgres://geheim@db/x?user=u&sslmode=off",
                "u:geheim@db",
                "jdbc:oracle:thin:scott/geheim@db",
                "jdbc:sqlserver://db;user=u;password=geheim;x=y",
                "jdbc:postgresql://db/x?PassWord=geheim",
                "jdbc:postgresql://db/x?sslpassword=geheim&user=u",
                "jdbc:postgresql://db/x?password=a&geheim",
                "jdbc:postgresql://db/x?password=a=geheim",
                "jdbc:postgresql://db/x?password=a?geheim",
                "jdbc:postgresql://db/x?password=a#geheim@db",
                "jdbc:x://db/x?access_token=geheim&secretKey=geheim",
                "host=db user=u password=geheim",
                "host=db password = 'x geheim'")) {
            assertThat(StoreUrl.masked(url)).doesNotContain("geheim").contains("***");
        }
    }

    @Test
    void configurationDoesNotShowThePassword() {
        StoreConfig config = new StoreConfig(
                "postgres://u:geheim@db/x", Optional.empty(), "dormouse", 1, true, InstantSource.system());
        assertThat(config.toString()).contains("***@db/x").doesNotContain("geheim");
    }
}
