package dev.dormouse.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.remote.serve.RemoteServer;
import dev.dormouse.store.Store;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.HistoryAppend;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import dev.dormouse.store.run.Sweep;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The connection breaks after the server has applied a batch, and before the answer has arrived. */
@Timeout(60)
class LostAnswerTest {
    private static final Set<String> CHANGES = Set.of("start", "commit", "append", "deliver", "claim");

    private final AtomicBoolean loseNextAnswer = new AtomicBoolean();
    private Store behind;
    private RemoteServer server;
    private Cable cable;
    private Store store;

    @BeforeEach
    void open() throws Exception {
        behind = Stores.sqlite("sqlite::memory:", 1);
        Store watched = Watched.watch(behind, (method, arguments) -> {}, (method, arguments) -> cutAfter(method));
        server = RemoteServer.start(watched, "127.0.0.1", 0);
        cable = new Cable(server.port());
        store = Stores.remote(cable.url());
    }

    private void cutAfter(String method) {
        if (CHANGES.contains(method) && loseNextAnswer.compareAndSet(true, false)) {
            cable.cut();
        }
    }

    @AfterEach
    void close() throws Exception {
        store.close();
        cable.close();
        server.close();
        behind.close();
    }

    /** Sends until an answer arrives, as the engine does. */
    private static <O> O again(Supplier<O> send, Predicate<O> isUnknown) {
        return await().atMost(Duration.ofSeconds(20)).until(send::get, outcome -> !isUnknown.test(outcome));
    }

    private StartOutcome start(Start start) {
        return store.start(0, List.of(start)).get(0);
    }

    private CommitOutcome commit(Commit commit) {
        return store.commit(0, List.of(commit)).get(0);
    }

    @Test
    void outcomeOfAStartIsUnknownUntilItIsSentAgain() {
        Start start = Runs.start("a");
        loseNextAnswer.set(true);
        StartOutcome lost = start(start);
        assertThat(lost)
                .isInstanceOfSatisfying(
                        StartOutcome.Unknown.class,
                        unknown -> assertThat(unknown.cause().code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
        assertThat(again(() -> start(start), StartOutcome.Unknown.class::isInstance))
                .isInstanceOfSatisfying(
                        StartOutcome.Exists.class,
                        exists -> assertThat(exists.run().runId()).isEqualTo(start.runId()));
        assertThat(behind.histories(0, List.of(start.runId()))).hasSize(1);
    }

    @Test
    void outcomeOfACommitIsUnknownUntilItIsSentAgain() {
        Start start = Runs.start("a");
        start(start);
        Commit step = Runs.step(start, 1);
        loseNextAnswer.set(true);
        assertThat(commit(step)).isInstanceOf(CommitOutcome.Unknown.class);
        assertThat(again(() -> commit(step), CommitOutcome.Unknown.class::isInstance))
                .isInstanceOf(CommitOutcome.Committed.class);
        assertThat(behind.historyLength(0, start.runId())).isEqualTo(2);
    }

    @Test
    void outcomeOfAnAppendIsUnknownUntilItIsSentAgain() {
        Start start = Runs.start("a");
        start(start);
        HistoryAppend append = Runs.append(start, 1);
        loseNextAnswer.set(true);
        assertThat(store.append(0, List.of(append)).get(0)).isInstanceOf(CommitOutcome.Unknown.class);
        assertThat(again(() -> store.append(0, List.of(append)).get(0), CommitOutcome.Unknown.class::isInstance))
                .isInstanceOf(CommitOutcome.Committed.class);
        assertThat(behind.historyLength(0, start.runId())).isEqualTo(2);
    }

    @Test
    void outcomeOfADeliveryIsUnknownUntilItIsSentAgain() {
        start(Runs.start("a"));
        List<Delivery> batch = List.of(Runs.delivery("a", "k"));
        loseNextAnswer.set(true);
        assertThat(store.deliver(0, batch, Runs.LEASE).get(0)).isInstanceOf(DeliverOutcome.Unknown.class);
        assertThat(again(() -> store.deliver(0, batch, Runs.LEASE).get(0), DeliverOutcome.Unknown.class::isInstance))
                .isEqualTo(new DeliverOutcome.Duplicate(1));
    }

    @Test
    void otherCallsThrow() {
        cable.cut();
        server.close();
        assertThatThrownBy(() -> store.sweep(0, new Sweep("n", "b", List.of(), 1)))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
        store.notify(List.of());
    }
}
