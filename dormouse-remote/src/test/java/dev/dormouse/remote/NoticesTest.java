package dev.dormouse.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.remote.serve.RemoteServer;
import dev.dormouse.store.Store;
import dev.dormouse.store.base.Notice;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Notices between two nodes of one server. */
@Timeout(60)
class NoticesTest {
    private final LinkedBlockingQueue<Notice> heard = new LinkedBlockingQueue<>();
    private final CountDownLatch gap = new CountDownLatch(1);
    private Store behind;
    private RemoteServer server;
    private Cable cable;
    private Store sender;
    private Store listener;

    @BeforeEach
    void open() throws Exception {
        behind = Stores.sqlite("sqlite::memory:", 1);
        server = RemoteServer.start(behind, "127.0.0.1", 0);
        cable = new Cable(server.port());
        sender = Stores.remote(server.url());
        listener = Stores.remote(cable.url());
    }

    @AfterEach
    void close() throws Exception {
        sender.close();
        listener.close();
        cable.close();
        server.close();
        behind.close();
    }

    private static List<Notice> notices(int number) {
        return IntStream.range(0, number)
                .<Notice>mapToObj(i -> new Notice.Closed(new UUID(0, i)))
                .toList();
    }

    @Test
    void noticesReachTheOtherNodeInOrder() throws Exception {
        try (AutoCloseable listening = listener.listen(heard::add, gap::countDown)) {
            assertThat(listening).isNotNull();
            List<Notice> all = notices(500);
            all.forEach(each -> sender.notify(List.of(each)));
            for (Notice each : all) {
                assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo(each);
            }
        }
        assertThat(gap.getCount()).isEqualTo(1);
    }

    @Test
    void listenerIsToldOfTheGapAfterALostConnection() throws Exception {
        try (AutoCloseable listening = listener.listen(heard::add, gap::countDown)) {
            assertThat(listening).isNotNull();
            cable.cut();
            assertThat(gap.await(20, TimeUnit.SECONDS)).isTrue();
            sender.notify(notices(1));
            assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo(notices(1).get(0));
        }
    }

    @Test
    void nothingIsHeardAfterTheEnd() throws Exception {
        LinkedBlockingQueue<Notice> later = new LinkedBlockingQueue<>();
        listener.listen(heard::add, gap::countDown).close();
        try (AutoCloseable listening = listener.listen(later::add, gap::countDown)) {
            assertThat(listening).isNotNull();
            sender.notify(notices(1));
            assertThat(later.poll(20, TimeUnit.SECONDS)).isEqualTo(notices(1).get(0));
        }
        assertThat(heard).isEmpty();
    }

    @Test
    void sendingNeverThrowsEvenIfTheServerIsGone() {
        server.close();
        sender.notify(notices(20_000));
        sender.notify(List.of(new Notice.Asked(0, "half \uD83D")));
    }
}
