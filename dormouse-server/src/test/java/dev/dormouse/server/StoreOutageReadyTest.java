package dev.dormouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server whose store can be read but not written is not ready, and says why. */
@Tag("slow")
@Timeout(60)
class StoreOutageReadyTest {
    @TempDir
    Path folder;

    @Test
    void serverWhoseStoreIsLockedIsNotReadyUntilItIsFree() throws Exception {
        Path file = folder.resolve("shop.db");
        try (Shop shop = new Shop(file);
                DormouseServer server =
                        DormouseServer.builder().dormouse(shop.dormouse).port(0).start()) {
            ApiClient web = new ApiClient(server.url());
            assertThat(web.get("/readyz").status()).isEqualTo(200);
            try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
                    Statement statement = other.createStatement()) {
                statement.execute("begin immediate");
                CompletableFuture<Void> unused = CompletableFuture.runAsync(
                        () -> shop.dormouse.start("order", "o-1", String.class, "book", 1)); // waits for the lock
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> web.get("/readyz").status() == 503);
                assertThat(web.get("/readyz").text("/error/message"))
                        .contains("Expected a store that can be read and written, but it is slow or locked, for ");
                assertThat(web.get("/healthz").status()).isEqualTo(200);
                statement.execute("rollback");
            }
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> web.get("/readyz").status() == 200);
        }
    }
}
