package dev.dormouse.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.remote.serve.RemoteServer;
import dev.dormouse.store.Store;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Start;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The server merges the commits of several nodes into batches of its store. */
@Timeout(60)
class MergedCommitsTest {
    private static final int NODES = 4;
    private static final int RUNS = 40;

    private final ConcurrentLinkedQueue<Integer> batches = new ConcurrentLinkedQueue<>();
    private final Semaphore mayCommit = new Semaphore(0);

    private void before(String method, Object[] arguments) {
        if (method.equals("commit")) {
            batches.add(((List<?>) arguments[1]).size());
            mayCommit.acquireUninterruptibly();
        }
    }

    @Test
    void commitsOfSeveralNodesShareBatches() throws Exception {
        List<Start> starts =
                IntStream.range(0, RUNS).mapToObj(i -> Runs.start("wf-" + i)).toList();
        ExecutorService threads = Executors.newFixedThreadPool(RUNS);
        List<Store> nodes = new ArrayList<>();
        try (Store behind = Stores.sqlite("sqlite::memory:", 1);
                RemoteServer server = RemoteServer.start(
                        Watched.watch(behind, this::before, (method, arguments) -> {}), "127.0.0.1", 0)) {
            behind.start(0, starts);
            for (int i = 0; i < NODES; i++) {
                nodes.add(Stores.remote(server.url()));
            }
            List<Future<CommitOutcome>> outcomes = new ArrayList<>();
            for (int i = 0; i < RUNS; i++) {
                Store node = nodes.get(i % NODES);
                Commit step = Runs.step(starts.get(i), 1);
                outcomes.add(threads.submit(() -> node.commit(0, List.of(step)).get(0)));
            }
            Awaitility.await().until(() -> batches.size() == 2); // both writers are busy
            mayCommit.release(RUNS);
            for (Future<CommitOutcome> outcome : outcomes) {
                assertThat(outcome.get()).isInstanceOf(CommitOutcome.Committed.class);
            }
            assertThat(batches.stream().mapToInt(Integer::intValue).sum()).isEqualTo(RUNS);
            nodes.forEach(Store::close);
        } finally {
            threads.shutdown();
        }
        assertThat(batches).hasSizeLessThan(RUNS);
    }
}
