package dev.dormouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.server.api.Api;
import dev.dormouse.server.api.ApiRequest;
import dev.dormouse.server.api.ApiResponse;
import dev.dormouse.server.api.Caller;
import dev.dormouse.server.api.Role;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Pages of a large history. */
class HistoryPagesTest {
    private static final int STEPS = 150;

    @Test
    void pagesAreLimitedByTheirSize(@TempDir Path folder) {
        try (Dormouse dormouse = Dormouse.builder()
                .store("sqlite:" + folder.resolve("heavy.db"))
                .workflow("heavy", String.class, Integer.class, (ctx, text) -> {
                    for (int i = 0; i < STEPS; i++) {
                        ctx.step("weigh", String.class, () -> "x".repeat(60_000));
                    }
                    return STEPS;
                })
                .open()) {
            dormouse.start("heavy", "heavy", Integer.class, "x").result();
            Api api = new Api(dormouse, null, false);
            List<Integer> seen = new ArrayList<>();
            Map<String, List<String>> query = Map.of("limit", List.of("1000"));
            int pages = 0;
            for (String next = ""; next != null; pages++) {
                ApiResponse response = api.handle(new ApiRequest(
                        "GET", "/api/v1/workflows/heavy/history", query, new byte[0], new Caller("test", Role.READER)));
                assertThat(response.body().length).isLessThan(5 << 20);
                JsonNode page = ApiClient.MAPPER.readTree(response.body());
                page.get("items").forEach(event -> seen.add(event.get("seq").asInt()));
                next = page.path("next").asString(null);
                query = Map.of("limit", List.of("1000"), "page", List.of(String.valueOf(next)));
            }
            assertThat(pages).isBetween(3, 10);
            assertThat(seen)
                    .isEqualTo(IntStream.range(0, seen.size()).boxed().toList())
                    .hasSizeGreaterThan(STEPS);
        }
    }
}
