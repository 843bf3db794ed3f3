package dev.dormouse.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.remote.serve.RemoteServer;
import dev.dormouse.store.Store;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whole nodes that reach their store through a server. */
@Timeout(120)
class RemoteNodeTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private final AtomicInteger steps = new AtomicInteger();
    private Store behind;
    private RemoteServer server;

    @BeforeEach
    void open() {
        behind = Stores.sqlite("sqlite:" + directory.resolve("runs.db"), 2);
        server = RemoteServer.start(behind, "127.0.0.1", 0);
    }

    @AfterEach
    void close() {
        server.close();
        behind.close();
    }

    private Dormouse node(String url) {
        return Dormouse.builder()
                .store(url)
                .workflow("order", String.class, String.class, (ctx, item) -> {
                    String reserved = ctx.step("reserve", String.class, () -> item + "-" + steps.incrementAndGet());
                    ctx.sleep(Duration.ofMillis(300));
                    String paid = ctx.waitForSignal("paid", Duration.ofHours(1))
                            .orElseThrow()
                            .value(String.class);
                    return ctx.step("ship", String.class, () -> reserved + " " + paid);
                })
                .open();
    }

    @Test
    void workflowWithStepSleepAndSignalEnds() {
        try (Dormouse node = node(server.url())) {
            WorkflowHandle<String> order = node.start("order", "o-1", String.class, "tea");
            order.signal("paid", "by card");
            assertThat(order.result(SOON)).isEqualTo("tea-1 by card");
            assertThat(order.describe().status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(node.statistics()).isNotNull();
        }
        assertThat(behind.nodes(0)).isEmpty();
    }

    @Test
    void runsThatWaitContinueOnTheOtherNode() {
        try (Dormouse stays = node(server.url())) {
            List<WorkflowHandle<String>> orders;
            try (Dormouse goes = node(server.url())) {
                orders = IntStream.range(0, 20)
                        .mapToObj(i -> goes.start("order", "o-" + i, String.class, "tea"))
                        .toList();
                await().atMost(SOON).until(() -> steps.get() == 20);
            }
            IntStream.range(0, 20).forEach(i -> stays.handle("o-" + i).signal("paid", "cash"));
            for (int i = 0; i < orders.size(); i++) {
                assertThat(stays.find("o-" + i, String.class).orElseThrow().result(SOON))
                        .endsWith(" cash");
            }
        }
        assertThat(steps).hasValue(20);
    }

    @Test
    void nodeSurvivesTheEndOfItsServer() {
        RemoteServer second = RemoteServer.start(behind, "127.0.0.1", 0);
        String both = "dormouse://127.0.0.1:" + server.port() + ",127.0.0.1:" + second.port();
        try (Dormouse node = node(both)) {
            WorkflowHandle<String> order = node.start("order", "o-1", String.class, "tea");
            server.close();
            order.signal("paid", "late");
            assertThat(order.result(SOON)).isEqualTo("tea-1 late");
        } finally {
            second.close();
        }
    }

    @Test
    void nodeHearsOfMessagesThatAnotherNodeSends() {
        try (Dormouse node = node(server.url());
                Dormouse caller = Dormouse.builder()
                        .store(server.url())
                        .remoteWorkflow("order")
                        .open()) {
            WorkflowHandle<String> order = caller.start("order", "o-1", String.class, "tea");
            await().atMost(SOON).until(() -> steps.get() == 1);
            order.signal("paid", "from elsewhere");
            assertThat(order.result(SOON)).isEqualTo("tea-1 from elsewhere");
        }
    }

    @Test
    void backupIsLeftToTheServer() {
        try (Dormouse node = node(server.url())) {
            assertThatThrownBy(() -> node.backup(directory.resolve("copy.db")))
                    .isInstanceOfSatisfying(
                            DormouseException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_SUPPORTED_BY_STORE));
        }
    }
}
