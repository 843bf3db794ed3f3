package dev.dormouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.testing.WorkflowHistories;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Start and end of a server, and its pages outside the API. */
class ServerTest {
    @TempDir
    Path folder;

    private DormouseServer.Builder builder(Shop shop) {
        return DormouseServer.builder().dormouse(shop.dormouse).port(0);
    }

    @Test
    void fileBesideTheStoreContainsTheServersUrl() throws Exception {
        Path file = folder.resolve("shop.db.server");
        try (Shop shop = new Shop(folder.resolve("shop.db"))) {
            try (DormouseServer server = builder(shop).start()) {
                JsonNode content = ApiClient.MAPPER.readTree(Files.readString(file));
                assertThat(content.get("url").asString()).isEqualTo(server.url());
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .isEqualTo("rw-------");
                String token = content.get("token").asString();
                ApiClient web = new ApiClient(server.url());
                assertThat(web.get("/api/v1/info", "Authorization", "Bearer " + token)
                                .text("/caller"))
                        .isEqualTo("command line");
            }
            assertThat(file).doesNotExist();
        }
    }

    @Test
    void portInUseIsReportedAndLeavesNothingBehind() {
        try (Shop shop = new Shop(folder.resolve("shop.db"));
                DormouseServer server = builder(shop).start()) {
            assertThatThrownBy(() -> builder(shop).port(server.port()).start())
                    .hasMessageStartingWith("[DM6013] Expected to listen on 127.0.0.1 port " + server.port())
                    .hasMessageContaining("Choose another port");
            assertThat(new ApiClient(server.url()).get("/healthz").status()).isEqualTo(200);
        }
    }

    @Test
    void serverWhoseDormouseIsClosedIsNotReady() {
        Shop shop = new Shop(folder.resolve("shop.db"));
        try (DormouseServer server = builder(shop).start()) {
            ApiClient web = new ApiClient(server.url());
            assertThat(web.get("/readyz").status()).isEqualTo(200);
            shop.close();
            assertThat(web.get("/readyz").status()).isEqualTo(503);
            assertThat(web.get("/healthz").status()).isEqualTo(200);
            ApiClient.Response answer = web.get("/api/v1/workflows");
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.text("/error/name")).isEqualTo("DORMOUSE_CLOSED");
        }
    }

    @Test
    void runWithADamagedHistoryIsShown() throws Exception {
        Path file = folder.resolve("shop.db");
        try (Shop shop = new Shop(file);
                DormouseServer server = builder(shop).start()) {
            shop.dormouse.start("echo", "damaged", Object.class, 1).result();
            try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                    Statement statement = connection.createStatement()) {
                statement.executeUpdate("update dormouse_history set checksum = checksum + 1");
            }
            ApiClient web = new ApiClient(server.url() + "/api/v1/workflows/damaged");
            ApiClient.Response run = web.get("");
            assertThat(run.status()).as(run.body()).isEqualTo(200);
            assertThat(run.text("/status")).isEqualTo("COMPLETED");
            assertThat(web.get("/history").text("/error/name")).isEqualTo("HISTORY_DAMAGED");
            assertThat(web.get("/history").status()).isEqualTo(409);
        }
    }

    @Test
    void metricsComeFromTheConfiguredSource() {
        try (Shop shop = new Shop(folder.resolve("shop.db"));
                DormouseServer server = builder(shop).metrics(() -> "up 1\n").start()) {
            assertThat(new ApiClient(server.url()).get("/metrics").body()).isEqualTo("up 1\n");
        }
    }

    @Test
    void dashboardFilesAreCachedByEntityTag() {
        try (Shop shop = new Shop(folder.resolve("shop.db"));
                DormouseServer server = builder(shop).start()) {
            ApiClient web = new ApiClient(server.url());
            ApiClient.Response page = web.get("/probe.js");
            assertThat(page.body()).contains("page");
            assertThat(page.header("Content-Type").orElse("")).startsWith("text/javascript");
            assertThat(page.header("Cache-Control")).contains("no-cache");
            String tag = page.header("ETag").orElseThrow();
            assertThat(web.get("/probe.js", "If-None-Match", tag).status()).isEqualTo(304);
            for (String path : new String[] {"/../DormouseServer.class", "/nothing.js", "/lib/", "/lib", "/.hidden"}) {
                assertThat(web.get(path).status()).as(path).isBetween(400, 404);
            }
            assertThat(web.post("/probe.js", "{}").status()).isEqualTo(405);
        }
    }

    @Test
    void exportedHistoryCanBeReplayed() {
        try (Shop shop = new Shop(folder.resolve("shop.db"));
                DormouseServer server = builder(shop).start()) {
            shop.dormouse.start("order", "order-1", String.class, "lamp", 1);
            ApiClient web = new ApiClient(server.url() + "/api/v1/workflows/order-1");
            web.post("/signal", "{\"name\":\"approve\",\"arguments\":[\"ada\"]}");
            assertThat(web.get("/result?wait=PT20S").text("/status")).isEqualTo("COMPLETED");
            WorkflowHistories.replay(web.get("/export").body(), Shop.Order.class, Shop.OrderWorkflow::new);
        }
    }
}
