package dev.dormouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.server.api.Role;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests that wait for a result, from callers within and beyond their limits. */
@Timeout(60)
class LongPollsTest {
    private static final int POLLS = 64;

    @TempDir
    private Path folder;

    private final String ada = DormouseServer.newToken();
    private final String eve = DormouseServer.newToken();
    private final ExecutorService pollers = Executors.newCachedThreadPool();
    private Shop shop;
    private DormouseServer server;
    private ApiClient web;

    @BeforeEach
    void open() {
        shop = new Shop(folder.resolve("shop.db"));
        server = DormouseServer.builder()
                .dormouse(shop.dormouse)
                .settings(ServerSettings.DEFAULT
                        .port(0)
                        .token("ada", Role.OPERATOR, ada)
                        .token("eve", Role.READER, eve))
                .start();
        web = new ApiClient(server.url());
        shop.dormouse.start("order", "order-1", String.class, "lamp", 1);
    }

    @AfterEach
    void close() throws InterruptedException {
        shop.dormouse.find("order-1", String.class).orElseThrow().terminate("the test has ended");
        pollers.shutdown();
        assertThat(pollers.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        server.close();
        shop.close();
    }

    private List<Future<ApiClient.Response>> poll(String token) {
        List<Future<ApiClient.Response>> answers = new ArrayList<>();
        for (int i = 0; i < POLLS; i++) {
            answers.add(pollers.submit(
                    () -> web.get("/api/v1/workflows/order-1/result?wait=PT25S", "Authorization", "Bearer " + token)));
        }
        return answers;
    }

    @Test
    void readerWithTooManyLongPollsIsRefusedAndOthersAreNot() throws Exception {
        List<Future<ApiClient.Response>> answers = poll(eve);
        ApiClient.Response refused = null;
        for (int i = 0; refused == null && i < 2_000; i++) {
            refused = done(answers);
            TimeUnit.MILLISECONDS.sleep(5);
        }
        assertThat(refused).as("one of " + POLLS + " polls is refused").isNotNull();
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Retry-After")).isPresent();
        ApiClient.Response update = web.send(
                "POST",
                "/api/v1/workflows/order-1/update",
                "{\"name\":\"addPieces\",\"arguments\":[2]}",
                "Authorization",
                "Bearer " + ada);
        assertThat(update.status()).as(update.body()).isEqualTo(200);
        assertThat(web.get("/api/v1/workflows/order-1/result?wait=PT0.01S", "Authorization", "Bearer " + ada)
                        .status())
                .as("another caller's poll finds a place and runs into its own timeout")
                .isEqualTo(504);
    }

    private static ApiClient.Response done(List<Future<ApiClient.Response>> answers) throws Exception {
        for (Future<ApiClient.Response> answer : answers) {
            if (answer.isDone()) {
                return answer.get(Duration.ofSeconds(1).toMillis(), TimeUnit.MILLISECONDS);
            }
        }
        return null;
    }
}
