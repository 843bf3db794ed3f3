package dev.dormouse.internal.engine.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.testing.sim.SimWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Entries whose rows are locked for a long time, among other entries. */
class BatcherLockedTest {
    private static final int LOCKED = 20;

    /** Has locked the first few, and counts how often they were sent. */
    private static final class Store implements Batcher.Kind<Integer, String> {
        int vain;

        @Override
        public List<String> send(List<Integer> batch) {
            return batch.stream().map(this::apply).toList();
        }

        private String apply(Integer number) {
            vain += number < LOCKED ? 1 : 0;
            return number < LOCKED ? "again" : "done";
        }

        @Override
        public Object key(Integer number) {
            return number;
        }

        @Override
        public int bytes(Integer number) {
            return 1;
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

    @Test
    void lockedEntriesAreSentSeldomAndDelayNoOtherEntry() {
        SimWorld world = new SimWorld(1);
        world.run(() -> {
            Store store = new Store();
            Batcher<Integer, String> batcher =
                    new Batcher<>(world.driver().threads(), "test", 2, 8, 60, store, () -> "closed");
            List<String> answers = new ArrayList<>();
            for (int i = 0; i < LOCKED; i++) {
                batcher.submit(i, answers::add);
            }
            world.sleep(Duration.ofSeconds(10));
            int before = store.vain;
            world.sleep(Duration.ofSeconds(10));
            assertThat(store.vain - before).isLessThanOrEqualTo(11);
            for (int i = 0; i < 100; i++) {
                batcher.submit(LOCKED + i, answers::add);
            }
            world.sleep(Duration.ofMillis(100));
            assertThat(answers).hasSize(100);
            batcher.close();
        });
    }
}
