package dev.dormouse.chaos.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.Measurements;
import dev.dormouse.chaos.cluster.StoreTables;
import dev.dormouse.chaos.postgres.ChaosPostgres;
import dev.dormouse.postgres.sqltimers.SqlTimerNode;
import dev.dormouse.server.DormouseServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The queries of every dashboard page, among a million runs, a million timers and a million SQL timers. Prints how long
 * they take.
 */
@Tag("long")
class PagesTest {
    private static final int TIMES = 11;

    private static final List<String> QUESTIONS = List.of(
            "/info",
            "/overview",
            "/throughput?span=15m",
            "/throughput?span=1h",
            "/throughput?span=24h",
            "/timers/histogram?span=hour",
            "/timers/histogram?span=day",
            "/timers/histogram?span=week",
            "/timers/histogram?span=all",
            "/timers?order=due&limit=5",
            "/timers?order=due&limit=50",
            "/timers?kind=sql&limit=50",
            "/timers?status=PENDING&limit=50",
            "/timers?handler=handler3&limit=50",
            "/timers?prefix=timer-77&limit=50",
            "/nodes",
            "/workflows?limit=50",
            "/workflows?status=FAILED,TIMED_OUT&limit=50",
            "/workflows?status=STUCK&limit=50",
            "/workflows?status=WAITING&limit=50",
            "/workflows?type=Order3&limit=50",
            "/workflows?prefix=filled-77&limit=50",
            "/schedules",
            "/workflows/real-1",
            "/workflows/real-1/history");

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    @Test
    void everyPageResponds() throws Exception {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            cluster.createTables();
            fill(cluster);
            try (Dormouse dormouse = cluster.builder()
                            .workflow("real", String.class, String.class, (ctx, text) -> {
                                ctx.step("say", () -> {});
                                ctx.sleep(Duration.ofDays(1));
                                return text;
                            })
                            .open();
                    DormouseServer server =
                            DormouseServer.builder().dormouse(dormouse).port(0).start()) {
                dormouse.start("real", "real-1", String.class, "x");
                for (String question : QUESTIONS) {
                    measure(server, question);
                }
            }
        }
    }

    private void measure(DormouseServer server, String question) throws IOException, InterruptedException {
        List<Double> millis = new ArrayList<>();
        int bytes = 0;
        for (int i = 0; i < TIMES; i++) {
            long begin = System.nanoTime();
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create(server.url() + "/api/v1" + question))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            millis.add((System.nanoTime() - begin) / 1e6);
            assertThat(answer.statusCode()).as(question + ": " + answer.body()).isEqualTo(200);
            bytes = answer.body().length();
        }
        double first = millis.get(0);
        millis.sort(null);
        Measurements.report(
                "%-46s first %6.1f ms, median %6.1f ms, worst %6.1f ms, %7d bytes",
                question, first, millis.get(TIMES / 2), millis.get(TIMES - 1), bytes);
    }

    private static void fill(ChaosCluster cluster) {
        StoreTables database = cluster.database();
        database.execute("""
                insert into ${prefix}run (shard, run_id, workflow_id, type, lane, owner, status, lease, wake_at, wake_reason,
                    known_seq, checksum, current, created_at, closed_at, refused, trouble)
                select 0, ('0180' || lpad(to_hex(i), 12, '0') || left(md5(i::text), 16))::uuid, 'filled-' || i,
                    'Order' || i % 10, 'Order' || i % 10, '',
                    case when i % 1000 = 7 then 11 when i % 10000 = 8 then 4 when i % 10 < 5 then 10 else 3 end, 0,
                    case when i % 10 < 5 or i % 1000 = 7 or i % 10000 = 8 then null
                      else (extract(epoch from now()) * 1000000)::int8 + 604800 * i::int8 end,
                    1, 1, 1, true, 0, case when i % 10 < 5 then 1 end, '', ''
                from generate_series(1, 1000000) i""");
        database.execute("""
                insert into ${prefix}run (shard, run_id, workflow_id, type, lane, owner, status, lease, wake_at, wake_reason,
                    known_seq, checksum, current, created_at, refused, trouble)
                select 0, ('0190' || lpad(to_hex(i), 12, '0') || left(md5(i::text), 16))::uuid, '!timer-' || i,
                    '!handler' || i % 10, '!handler' || i % 10, '', 0, 0,
                    (extract(epoch from now()) * 1000000)::int8 + 604800 * (hashint4(i)::int8 & 1048575), 0,
                    1, 1, true, 0, '', ''
                from generate_series(1, 1000000) i""");
        database.execute("vacuum analyze ${prefix}run");
        database.execute(
                "create schema timers authorization " + ChaosPostgres.ENGINE,
                "set role " + ChaosPostgres.ENGINE,
                SqlTimerNode.script());
        database.execute("set session_replication_role = replica", """
                insert into timers.timers (fire_at, action, scheduled_by)
                select now() + (hashint4(i)::int8 & 1048575) * interval '7 days' / 1048576, 'select ' || i, 'role' || i % 10
                from generate_series(1, 1000000) i""", "vacuum analyze timers.timers");
    }
}
