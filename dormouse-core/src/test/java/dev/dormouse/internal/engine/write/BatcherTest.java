package dev.dormouse.internal.engine.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.testing.sim.SimWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BatcherTest {
    private static final String CLOSED = "closed";

    private record Entry(int number, int key) {}

    /** A store that fails, is slow, and finds rows locked, by chance. */
    private static class Store implements Batcher.Kind<Entry, String> {
        private final SimWorld world;
        private final Random random;
        private final List<List<Entry>> sent = new ArrayList<>();
        private final double trouble;

        Store(SimWorld world, double trouble) {
            this.world = world;
            this.random = world.random();
            this.trouble = trouble;
        }

        @Override
        public List<String> send(List<Entry> batch) {
            assertThat(batch).isNotEmpty();
            assertThat(batch.stream().map(Entry::key)).doesNotHaveDuplicates();
            sent.add(List.copyOf(batch));
            world.sleep(Duration.ofMillis(random.nextInt(10)));
            if (random.nextDouble() < trouble) {
                throw new IllegalStateException("the store is away");
            }
            return batch.stream()
                    .map(entry -> random.nextDouble() < trouble ? "again" : "done " + entry.number())
                    .toList();
        }

        @Override
        public Object key(Entry entry) {
            return entry.key();
        }

        @Override
        public int bytes(Entry entry) {
            return 10;
        }

        @Override
        public boolean again(String outcome) {
            return outcome.equals("again");
        }

        @Override
        public Batcher.Cause cause(String outcome) {
            return Batcher.Cause.LOCKED;
        }

        @Override
        public String failed(Throwable problem) {
            return "again";
        }
    }

    private static Batcher<Entry, String> batcher(SimWorld world, Store store, int writers) {
        return new Batcher<>(world.driver().threads(), "test", writers, 8, 60, store, () -> CLOSED);
    }

    @Test
    void everyEntryIsAnsweredOnceWithItsOwnOutcome() {
        for (long seed = 0; seed < 100; seed++) {
            SimWorld world = new SimWorld(seed);
            Store store = new Store(world, 0.3);
            int entries = 100;
            Map<Integer, List<String>> answers = new HashMap<>();
            world.run(() -> {
                Batcher<Entry, String> batcher =
                        batcher(world, store, 1 + world.random().nextInt(3));
                for (int i = 0; i < entries; i++) {
                    Entry entry = new Entry(i, world.random().nextInt(20));
                    batcher.submit(
                            entry,
                            outcome -> answers.computeIfAbsent(entry.number(), number -> new ArrayList<>())
                                    .add(outcome));
                    world.sleep(Duration.ofMillis(world.random().nextInt(3)));
                }
                world.await(() -> answers.size() == entries, Duration.ofMillis(10), Duration.ofMinutes(5));
            });
            assertThat(answers).as("seed %s", seed).hasSize(entries);
            answers.forEach((number, outcomes) -> assertThat(outcomes).containsExactly("done " + number));
        }
    }

    @Test
    void waitingCallersGetTheirOutcomes() {
        for (long seed = 0; seed < 50; seed++) {
            SimWorld world = new SimWorld(seed);
            Store store = new Store(world, 0.2);
            int[] right = {0};
            world.run(() -> {
                Batcher<Entry, String> batcher = batcher(world, store, 2);
                for (int i = 0; i < 50; i++) {
                    int number = i;
                    world.driver().threads().startCode("caller", () -> {
                        String outcome = batcher.submitAndWait(new Entry(number, number % 7));
                        right[0] += outcome.equals("done " + number) ? 1 : 0;
                    });
                }
                world.await(() -> right[0] == 50, Duration.ofMillis(10), Duration.ofMinutes(5));
            });
            assertThat(right[0]).as("seed %s", seed).isEqualTo(50);
        }
    }

    @Test
    void nobodyIsForgottenWhenItCloses() {
        for (long seed = 0; seed < 300; seed++) {
            SimWorld world = new SimWorld(seed);
            Store store = new Store(world, 0.4);
            List<String> answers = new ArrayList<>();
            world.run(() -> {
                Batcher<Entry, String> batcher = batcher(world, store, 2);
                for (int i = 0; i < 30; i++) {
                    int number = i;
                    world.driver().threads().startCode("caller", () -> {
                        world.sleep(Duration.ofMillis(world.random().nextInt(60)));
                        batcher.submit(new Entry(number, number % 9), answers::add);
                    });
                }
                world.sleep(Duration.ofMillis(world.random().nextInt(60)));
                batcher.close();
                world.sleep(Duration.ofMinutes(1));
            });
            assertThat(answers).as("seed %s", seed).hasSize(30);
            assertThat(answers).allMatch(answer -> answer.matches("closed|again|done \\d+"));
        }
    }

    @Test
    void singleEntryIsSentAtOnceAndWaitingEntriesAreSentTogether() {
        SimWorld world = new SimWorld(1);
        Store store = new Store(world, 0);
        world.run(() -> {
            Batcher<Entry, String> batcher = batcher(world, store, 1);
            batcher.submitAndWait(new Entry(0, 0));
            assertThat(world.elapsed()).isLessThan(Duration.ofMillis(10));
            int[] done = {0};
            for (int i = 1; i <= 20; i++) {
                batcher.submit(new Entry(i, i), outcome -> done[0]++);
            }
            world.await(() -> done[0] == 20, Duration.ofMillis(1), Duration.ofMinutes(1));
        });
        assertThat(store.sent.get(0)).hasSize(1);
        assertThat(store.sent.size()).isLessThanOrEqualTo(6);
        assertThat(store.sent).allSatisfy(batch -> assertThat(batch.size()).isLessThanOrEqualTo(8));
        assertThat(store.sent).allSatisfy(batch -> assertThat(batch.size() * 10).isLessThanOrEqualTo(60));
    }

    @Test
    void lockedEntryDoesNotHoldUpTheOthers() {
        SimWorld world = new SimWorld(2);
        Store store = new Store(world, 0) {
            @Override
            public List<String> send(List<Entry> batch) {
                return super.send(batch).stream()
                        .map(outcome -> outcome.equals("done 0") ? "again" : outcome)
                        .toList();
            }
        };
        world.run(() -> {
            Batcher<Entry, String> batcher = batcher(world, store, 1);
            batcher.submit(new Entry(0, 0), outcome -> {});
            for (int i = 1; i <= 100; i++) {
                assertThat(batcher.submitAndWait(new Entry(i, i))).isEqualTo("done " + i);
            }
            assertThat(world.elapsed()).isLessThan(Duration.ofSeconds(2));
        });
    }

    @Test
    void entriesOfOneKeyAreSentInOrder() {
        for (long seed = 0; seed < 50; seed++) {
            SimWorld world = new SimWorld(seed);
            Store store = new Store(world, 0);
            world.run(() -> {
                Batcher<Entry, String> batcher = batcher(world, store, 1);
                int[] done = {0};
                for (int i = 0; i < 40; i++) {
                    batcher.submit(new Entry(i, i % 3), outcome -> done[0]++);
                }
                world.await(() -> done[0] == 40, Duration.ofMillis(1), Duration.ofMinutes(1));
            });
            Map<Integer, Integer> last = new HashMap<>();
            store.sent.forEach(batch -> batch.forEach(entry -> assertThat(last.getOrDefault(entry.key(), -1))
                    .isLessThan(last.merge(entry.key(), entry.number(), (a, b) -> b))));
            assertThat(new HashSet<>(store.sent.stream().flatMap(List::stream).toList()))
                    .hasSize(40);
        }
    }
}
