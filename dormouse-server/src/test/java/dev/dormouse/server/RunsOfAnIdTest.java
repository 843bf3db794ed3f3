package dev.dormouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.Dags;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Several runs of one workflow id. */
class RunsOfAnIdTest {
    @TempDir
    private Path folder;

    private static ApiResponse get(Api api, String path, Map<String, List<String>> query) {
        return api.handle(new ApiRequest("GET", "/api/v1" + path, query, new byte[0], new Caller("test", Role.READER)));
    }

    private static JsonNode json(ApiResponse response) {
        return ApiClient.MAPPER.readTree(response.body());
    }

    @Test
    void earlierDagRunIsShownByItsRunId() {
        Dags dags =
                Dags.of(Dag.workflow("nap").sleep("sleep", Duration.ofHours(1)).build());
        try (Dormouse dormouse = Dormouse.builder()
                .store("sqlite:" + folder.resolve("dags.db"))
                .plugin(dags)
                .open()) {
            Api api = new Api(dormouse, dags, false);
            StartOptions anew = StartOptions.DEFAULT.withIdReuse(IdReuse.START_NEW);
            WorkflowHandle<?> first = dags.start("nap", "nap-1", anew, Map.of()).handle();
            first.terminate("enough");
            WorkflowHandle<?> second =
                    dags.start("nap", "nap-1", anew, Map.of()).handle();
            assertThat(second.runId()).isNotEqualTo(first.runId());
            String path = "/workflows/nap-1/dag";
            Map<String, List<String>> earlier =
                    Map.of("run", List.of(first.runId().toString()));
            ApiResponse response = get(api, path, earlier);
            assertThat(response.status()).isEqualTo(200);
            assertThat(json(response).at("/state/steps/0/status").asString()).isNotEqualTo("SLEEPING");
            Map<String, List<String>> none = Map.of("run", List.of("00000000-0000-7000-8000-000000000000"));
            assertThat(get(api, path, none).status()).isEqualTo(404);
            assertThat(get(api, path, Map.of("run", List.of("x"))).status()).isEqualTo(400);
            assertThat(get(api, path, Map.of()).status()).isEqualTo(200);
        }
    }

    @Test
    void allRunsAreFoundAmongShardsAndIdsWithTheSamePrefix() {
        try (Dormouse dormouse = Dormouse.builder()
                .store("sqlite:" + folder.resolve("shards.db"))
                .shards(4)
                .workflow("echo", String.class, String.class, (ctx, text) -> text)
                .open()) {
            StartOptions anew = StartOptions.DEFAULT.withIdReuse(IdReuse.START_NEW);
            for (int i = 0; i < 8; i++) {
                List<String> runs = new ArrayList<>();
                for (int round = 0; round < 3; round++) {
                    WorkflowHandle<String> run = dormouse.start("echo", "id-" + i, anew, String.class, "x");
                    run.result();
                    runs.add(0, run.runId().toString());
                    dormouse.start("echo", "id-" + i + "-" + round, anew, String.class, "x");
                }
                JsonNode shown = json(get(new Api(dormouse, null, false), "/workflows/id-" + i, Map.of()));
                List<String> told = shown.at("/runs")
                        .valueStream()
                        .map(run -> run.get("runId").asString())
                        .toList();
                assertThat(told).as("id-" + i).isEqualTo(runs);
            }
        }
    }
}
