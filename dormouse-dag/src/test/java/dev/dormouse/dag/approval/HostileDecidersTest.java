package dev.dormouse.dag.approval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.TypeRef;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.Dags;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many concurrent decisions on a real node. */
class HostileDecidersTest {

    @Test
    void oneOfManyDecisionsAtOnceCounts(@TempDir Path folder) throws Exception {
        CompletableFuture<String> token = new CompletableFuture<>();
        Dags dags = Dags.of(Dag.workflow("ask")
                .approval("ok", Duration.ofDays(1))
                .ask("ask")
                .task("done", "echo")
                .input("$.steps.ok.by")
                .after("ok")
                .build());
        ExecutorService people = Executors.newFixedThreadPool(16);
        try (Dormouse dormouse = Dormouse.builder()
                .store("sqlite:" + folder.resolve("test.db"))
                .activity("echo", Object.class, Object.class, input -> input)
                .activity("ask", new TypeRef<Map<String, Object>>() {}, TypeRef.of(Object.class), input -> {
                    token.complete((String) input.get("token"));
                    return null;
                })
                .plugin(dags)
                .open()) {
            DagRun run = dags.start("ask", "one", null);
            String text = token.get(30, TimeUnit.SECONDS);
            List<Callable<String>> decisions = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                decisions.add(decision(dags, text, i));
            }
            List<String> winners = new ArrayList<>();
            for (Future<String> future : people.invokeAll(decisions)) {
                String winner = future.get();
                if (!winner.isEmpty()) {
                    winners.add(winner);
                }
            }
            assertThat(winners).hasSize(1);
            Object result = run.result(Duration.ofSeconds(30));
            assertThat(result).isEqualTo(winners.get(0).startsWith("a") ? Map.of("done", winners.get(0)) : result);
            assertThat(run.state().step("ok").output().orElseThrow().toString()).contains(winners.get(0));
        } finally {
            people.shutdownNow();
        }
    }

    private static Callable<String> decision(Dags dags, String token, int number) {
        return () -> {
            String by = (number % 2 == 0 ? "a" : "r") + number;
            try {
                if (number % 2 == 0) {
                    dags.approve(token, by, "");
                } else {
                    dags.reject(token, by, "");
                }
                return by;
            } catch (DormouseException refused) {
                assertThat(refused.code()).isEqualTo(ErrorCode.TOKEN_USED);
                return "";
            }
        };
    }
}
