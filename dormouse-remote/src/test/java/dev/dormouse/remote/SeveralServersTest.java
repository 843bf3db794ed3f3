package dev.dormouse.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.dormouse.remote.serve.RemoteServer;
import dev.dormouse.store.Store;
import dev.dormouse.store.base.Notice;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that knows several servers of one store. */
@Timeout(60)
class SeveralServersTest {
    private Store behind;
    private RemoteServer first;
    private RemoteServer second;
    private Store store;

    @BeforeEach
    void open() {
        behind = Stores.sqlite("sqlite::memory:", 1);
        first = RemoteServer.start(behind, "127.0.0.1", 0);
        second = RemoteServer.start(behind, "127.0.0.1", 0);
        store = Stores.remote("dormouse://127.0.0.1:" + first.port() + ",127.0.0.1:" + second.port());
    }

    @AfterEach
    void close() {
        store.close();
        first.close();
        second.close();
        behind.close();
    }

    @Test
    void callsGoToTheSecondServerWhenTheFirstIsGone() {
        Start start = Runs.start("a");
        assertThat(store.start(0, List.of(start))).hasOnlyElementsOfType(StartOutcome.Started.class);
        first.close();
        assertThat(store.current(0, "a")).isPresent();
        assertThat(store.start(0, List.of(Runs.start("b")))).hasOnlyElementsOfType(StartOutcome.Started.class);
    }

    @Test
    void batchWhoseServerIsGoneIsUnknownAndThenAppliedBySecond() {
        first.close();
        Start start = Runs.start("a");
        StartOutcome outcome = await().atMost(Duration.ofSeconds(20))
                .until(
                        () -> store.start(0, List.of(start)).get(0),
                        latest -> !(latest instanceof StartOutcome.Unknown));
        assertThat(outcome).isInstanceOf(StartOutcome.Started.class);
    }

    @Test
    void clientOpensIfOnlyTheSecondServerIsThere() {
        first.close();
        try (Store late = Stores.remote("dormouse://127.0.0.1:" + first.port() + ",localhost:" + second.port())) {
            assertThat(late.shards()).isEqualTo(1);
        }
    }

    @Test
    void noticesArriveByTheSecondServerAfterAGap() throws Exception {
        LinkedBlockingQueue<Notice> heard = new LinkedBlockingQueue<>();
        CountDownLatch gap = new CountDownLatch(1);
        try (AutoCloseable listening = store.listen(heard::add, gap::countDown);
                Store other = Stores.remote(second.url())) {
            assertThat(listening).isNotNull();
            first.close();
            assertThat(gap.await(20, TimeUnit.SECONDS)).isTrue();
            Notice notice = new Notice.Closed(UUID.randomUUID());
            other.notify(List.of(notice));
            assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo(notice);
        }
    }
}
