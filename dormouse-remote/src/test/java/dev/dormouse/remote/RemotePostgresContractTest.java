package dev.dormouse.remote;

import dev.dormouse.store.Store;
import dev.dormouse.store.StoreConfig;
import dev.dormouse.store.StoreProvider;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Each test has a schema of its own. */
@Tag("postgres")
class RemotePostgresContractTest extends RemoteContract {
    private static EmbeddedPostgres postgres;
    private static int schemas;

    private String schema;

    @BeforeAll
    static void startPostgres() throws IOException {
        postgres = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofSeconds(60))
                .start();
    }

    @AfterAll
    static void stopPostgres() throws IOException {
        postgres.close();
    }

    @Override
    Store openBehind(int shards) {
        schema = "s" + schemas++;
        String url = "jdbc:postgresql://localhost:" + postgres.getPort() + "/postgres?user=postgres";
        return ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.accepts(url))
                .findFirst()
                .orElseThrow()
                .open(new StoreConfig(url, Optional.empty(), schema, shards, true, InstantSource.system()));
    }

    @Override
    void closeBehind(Store opened) {
        super.closeBehind(opened);
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("drop schema " + schema + " cascade");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
