package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.QueueOptions;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.plugin.PluginHost;
import dev.dormouse.store.DefinitionStore;
import dev.dormouse.store.base.Definition;
import dev.dormouse.store.base.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A node eventually finds all definitions that other nodes have written, and serves their queues. */
class DagRegistryTest {
    private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");

    /** A store with two shards, of which the second can be made unavailable. */
    private static final class Host implements PluginHost, DefinitionStore {
        final List<List<Definition>> stored = List.of(new ArrayList<>(), new ArrayList<>());
        final Set<String> queues = new TreeSet<>();
        boolean broken;
        Runnable onRead = () -> {};

        void add(int shard, String name, Duration later) {
            Dag dag = Dag.workflow(name).task("t", "log").concurrency(1).build();
            stored.get(shard)
                    .add(new Definition(name, 1, dag.toJson().getBytes(StandardCharsets.UTF_8), BEGIN.plus(later)));
        }

        @Override
        public boolean define(int shard, String name, int version, byte[] body) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<Definition> definition(int shard, String name, int version) {
            return Optional.empty();
        }

        @Override
        public List<Definition> definitions(int shard, Instant since, @Nullable Definition after, int limit) {
            onRead.run();
            if (broken && shard == 1) {
                throw new StoreException(
                        ErrorCode.STORE_UNAVAILABLE, "Expected an answer, but got none.", new IllegalStateException());
            }
            return stored.get(shard).stream()
                    .filter(one -> !one.definedAt().isBefore(since))
                    .toList();
        }

        @Override
        public Dormouse dormouse() {
            throw new UnsupportedOperationException();
        }

        @Override
        public DefinitionStore definitions() {
            return this;
        }

        @Override
        public ActivityOptions activityOptions() {
            return ActivityOptions.DEFAULT;
        }

        @Override
        public <T> T persist(java.util.function.Supplier<T> question) {
            return question.get();
        }

        @Override
        public int shards() {
            return 2;
        }

        @Override
        public void queue(String name, QueueOptions options) {
            queues.add(name);
        }

        @Override
        public void everySweep(Runnable task) {}
    }

    private static void look(DagRegistry registry) {
        for (int i = 0; i < 6; i++) {
            registry.lookForNew();
        }
    }

    @Test
    void lookupThatFailedHalfWayIsRepeatedCompletely() {
        Host host = new Host();
        DagRegistry registry = new DagRegistry(host);
        registry.serveAll();
        host.add(0, "x", Duration.ZERO);
        host.add(1, "y", Duration.ZERO);
        host.add(0, "z", Duration.ofMinutes(10));
        host.broken = true;
        look(registry);
        host.broken = false;
        look(registry);
        assertThat(host.queues).containsExactly("dag/x/t", "dag/y/t", "dag/z/t");
    }

    @Test
    void listDoesNotMakeTheNodeMissDefinitions() {
        Host host = new Host();
        DagRegistry registry = new DagRegistry(host);
        registry.serveAll();
        host.add(0, "x", Duration.ZERO);
        host.add(0, "z", Duration.ofMinutes(10));
        registry.all();
        look(registry);
        assertThat(host.queues).containsExactly("dag/x/t", "dag/z/t");
    }

    /** Otherwise one sweep thread after the other would block at the monitor for as long as the store takes. */
    @Test
    void slowLookupDoesNotBlockTheNextOnes() throws Exception {
        Host host = new Host();
        DagRegistry registry = new DagRegistry(host);
        CountDownLatch reads = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        host.onRead = () -> {
            reads.countDown();
            try {
                answer.await();
            } catch (InterruptedException ended) {
                throw new IllegalStateException(ended);
            }
        };
        Thread first = new Thread(() -> look(registry));
        first.start();
        reads.await();
        Thread second = new Thread(() -> look(registry));
        second.start();
        second.join(5_000);
        boolean hangs = second.isAlive();
        answer.countDown();
        first.join();
        second.join();
        assertThat(hangs).isFalse();
    }
}
