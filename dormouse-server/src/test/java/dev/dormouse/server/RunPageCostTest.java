package dev.dormouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.Workflow;
import dev.dormouse.server.api.Api;
import dev.dormouse.server.api.ApiRequest;
import dev.dormouse.server.api.ApiResponse;
import dev.dormouse.server.api.Caller;
import dev.dormouse.server.api.Role;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The page of a run costs a fixed number of statements, however many children the run has. */
@Timeout(60)
class RunPageCostTest {
    private static final int CHILDREN = 50;

    @TempDir
    Path folder;

    private Dormouse open(int shards) {
        return Dormouse.builder()
                .store("counted:sqlite:" + folder.resolve("cost.db"))
                .shards(shards)
                .workflow("echo", String.class, String.class, (ctx, text) -> text)
                .workflow("family", Duration.class, Integer.class, (ctx, sleep) -> {
                    List<Promise<String>> children = new ArrayList<>();
                    for (int i = 0; i < CHILDREN; i++) {
                        children.add(Workflow.child("echo", "child-" + i, String.class, "x"));
                    }
                    children.forEach(Promise::get);
                    Workflow.sleep(sleep);
                    return CHILDREN;
                })
                .open();
    }

    /** Returns the store calls of the page, made by the request's thread and by the thread that queries the waits. */
    private static List<String> pageOf(Dormouse dormouse, AtomicReference<JsonNode> page) {
        Api api = new Api(dormouse, null, false);
        Thread request = Thread.currentThread();
        return CountedStores.callsDuring(
                thread -> thread == request || thread.getName().equals("dormouse-api-waits"), () -> {
                    ApiResponse response = api.handle(new ApiRequest(
                            "GET",
                            "/api/v1/workflows/family-1",
                            Map.of(),
                            new byte[0],
                            new Caller("test", Role.READER)));
                    assertThat(response.status()).isEqualTo(200);
                    page.set(ApiClient.MAPPER.readTree(response.body()));
                });
    }

    @Test
    void pageOfAClosedRunWithFiftyChildrenTakesFiveStatements() {
        try (Dormouse dormouse = open(1)) {
            dormouse.start("family", "family-1", Integer.class, Duration.ofMillis(1))
                    .result();
            AtomicReference<JsonNode> page = new AtomicReference<>();
            assertThat(pageOf(dormouse, page)).containsExactly("current", "run", "histories", "runs", "list");
            assertThat(page.get().at("/children"))
                    .hasSize(CHILDREN)
                    .allSatisfy(
                            child -> assertThat(child.get("status").asString()).isEqualTo("COMPLETED"));
        }
    }

    @Test
    void pageOfAnOpenRunWithFiftyChildrenTakesSixStatements() {
        try (Dormouse dormouse = open(1)) {
            dormouse.start("family", "family-1", Integer.class, Duration.ofHours(1));
            AtomicReference<JsonNode> page = new AtomicReference<>();
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                List<String> calls = pageOf(dormouse, page);
                assertThat(page.get().at("/waits/0/kind").asString()).isEqualTo("sleep");
                assertThat(calls).containsExactlyInAnyOrder("current", "run", "histories", "notes", "runs", "list");
            });
            assertThat(page.get().at("/children")).hasSize(CHILDREN);
        }
    }

    @Test
    void childrenAreReadOncePerShard() {
        try (Dormouse dormouse = open(4)) {
            dormouse.start("family", "family-1", Integer.class, Duration.ofMillis(1))
                    .result();
            AtomicReference<JsonNode> page = new AtomicReference<>();
            assertThat(pageOf(dormouse, page)).filteredOn("runs"::equals).hasSize(4);
            assertThat(page.get().at("/children"))
                    .hasSize(CHILDREN)
                    .allSatisfy(
                            child -> assertThat(child.get("status").asString()).isEqualTo("COMPLETED"));
        }
    }
}
