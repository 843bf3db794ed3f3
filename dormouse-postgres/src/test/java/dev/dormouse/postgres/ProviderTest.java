package dev.dormouse.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.StoreConfig;
import dev.dormouse.store.StoreProvider;
import dev.dormouse.store.base.StoreException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class ProviderTest {
    private final PostgresStoreProvider provider = new PostgresStoreProvider();

    private void open(String url) {
        provider.open(new StoreConfig(url, Optional.empty(), "dormouse", 1, true, InstantSource.system()));
    }

    @Test
    void providerIsFoundByTheServiceLoader() {
        assertThat(ServiceLoader.load(StoreProvider.class)).hasAtLeastOneElementOfType(PostgresStoreProvider.class);
    }

    @Test
    void acceptsUrlsAndDataSourcesOfPostgres() {
        assertThat(provider.accepts("jdbc:postgresql://localhost/db")).isTrue();
        assertThat(provider.accepts("sqlite:file.db")).isFalse();
        assertThat(provider.accepts("jdbc:mysql://localhost/db")).isFalse();
        assertThat(provider.accepts(TestPostgres.engine())).isTrue();
    }

    @Test
    void urlThatTheDriverDoesNotUnderstandIsAClearError() {
        assertThatThrownBy(() -> open("jdbc:postgresql://localhost:port/db"))
                .isInstanceOfSatisfying(
                        DormouseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_STORE))
                .hasMessageStartingWith("[DM2001] Expected a URL such as jdbc:postgresql://");
    }

    @Test
    void serverThatIsNotThereIsAClearError() {
        assertThatThrownBy(() -> open("jdbc:postgresql://localhost:1/db?user=engine&password=hidden"))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE))
                .hasMessageStartingWith("[DM2005] Expected ")
                .hasMessageNotContaining("hidden");
    }

    @Test
    void hostThatIsUnknownIsNamed() {
        assertThatThrownBy(() -> open("jdbc:postgresql://no-such-host.invalid/db?user=engine&password=hidden"))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE))
                .hasMessageContaining("The host 'no-such-host.invalid' is unknown. Check that ")
                .hasMessageNotContaining("hidden");
    }

    @Test
    void refusedLoginIsNotCalledAServerWithoutAnAnswer() {
        String url = TestPostgres.url().replaceFirst("/[^/?]*[?]", "/nothing?");
        assertThatThrownBy(() -> open(url))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_FAILED))
                .hasMessageContainingAll(
                        "Expected PostgreSQL to accept a call, but it refuses",
                        "\"nothing\" does not exist",
                        "Check user, password and database.");
    }

    @Test
    void userAndPasswordBeforeTheHostAreRefusedAndNotRepeated() {
        for (String url : List.of(
                "jdbc:postgresql://u:geheim@localhost/db",
                "jdbc:postgresql://u:geheim@localhost:5432/db?ssl=true",
                "jdbc:postgresql://u:ge/geheim@localhost/db",
                "jdbc:postgresql://geheim@localhost/db",
                "jdbc:postgresql://other,u:geheim@localhost/db",
                "jdbc:postgresql:u:geheim@localhost/db")) {
            assertThatThrownBy(() -> open(url))
                    .isInstanceOfSatisfying(
                            DormouseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_STORE))
                    .hasMessageStartingWith("[DM2001] Expected user and password as parameters")
                    .hasNoCause()
                    .hasMessageContaining("***@localhost")
                    .hasMessageNotContaining("geheim");
        }
    }

    @Test
    void nameOfADatabaseMayHaveAnAt() {
        assertThatThrownBy(() -> open("jdbc:postgresql://[::1]:1,localhost:1/my@db?user=engine"))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
    }

    @Test
    void databaseThatIsNotThereIsAClearError() {
        PGSimpleDataSource wrong = TestPostgres.engine();
        wrong.setDatabaseName("no such database");
        assertThatThrownBy(() -> TestPostgres.open("dormouse", wrong))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no such database");
    }
}
