package dev.dormouse.internal.engine.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.testing.sim.SimWorld;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Virtual machine errors in a writer: its thread survives, and every entry is answered. */
class BatcherErrorTest {

    /** The place that throws the error. */
    enum Where {
        SEND,
        KEY,
        BYTES,
        AGAIN,
        FAILED,
        DONE,
        OBSERVER,
        SHORT_ANSWER
    }

    record Case(Where where, Throwable error) {}

    static Stream<Case> cases() {
        List<Throwable> errors = List.of(
                new OutOfMemoryError("planted"),
                new StackOverflowError("planted"),
                new NoClassDefFoundError("planted"),
                new InternalError("planted"),
                new IllegalStateException("planted"));
        return Stream.of(Where.values()).flatMap(where -> errors.stream().map(error -> new Case(where, error)));
    }

    /** Fails a few times at one place. */
    private static final class Store implements Batcher.Kind<Integer, String> {
        private final Case planted;
        private int left = 3;

        Store(Case planted) {
            this.planted = planted;
        }

        void at(Where where) {
            if (planted.where == where && left > 0) {
                left--;
                BatcherErrorTest.<RuntimeException>raise(planted.error);
            }
        }

        @Override
        public List<String> send(List<Integer> batch) {
            at(Where.SEND);
            if (planted.where == Where.FAILED && left > 0) {
                throw new IllegalStateException("planted, so that failed() is called");
            }
            List<String> outcomes = batch.stream().map(entry -> "done " + entry).toList();
            if (planted.where == Where.SHORT_ANSWER && left > 0) {
                left--;
                return outcomes.subList(1, outcomes.size());
            }
            return outcomes;
        }

        @Override
        public Object key(Integer entry) {
            at(Where.KEY);
            return entry;
        }

        @Override
        public int bytes(Integer entry) {
            at(Where.BYTES);
            return 1;
        }

        @Override
        public boolean again(String outcome) {
            at(Where.AGAIN);
            return outcome.equals("again");
        }

        @Override
        public Batcher.Cause cause(String outcome) {
            return Batcher.Cause.LOCKED;
        }

        @Override
        public String failed(Throwable problem) {
            at(Where.FAILED);
            return "again";
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void raise(Throwable error) throws T {
        throw (T) error;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void writerLivesOnAndEveryEntryIsAnswered(Case planted) {
        for (long seed = 0; seed < 5; seed++) {
            SimWorld world = new SimWorld(seed);
            Map<Integer, String> answers = new HashMap<>();
            world.run(() -> {
                Store store = new Store(planted);
                Batcher<Integer, String> batcher =
                        new Batcher<>(world.driver().threads(), "test", 1, 8, 60, store, () -> "closed");
                batcher.observe((entries, began, waiting) -> store.at(Where.OBSERVER));
                for (int i = 0; i < 30; i++) {
                    int number = i;
                    batcher.submit(number, outcome -> {
                        answers.put(number, outcome);
                        store.at(Where.DONE);
                    });
                    world.sleep(Duration.ofMillis(world.random().nextInt(3)));
                }
                world.await(() -> answers.size() == 30, Duration.ofMillis(10), Duration.ofMinutes(1));
                world.sleep(Duration.ofSeconds(10));
                batcher.submit(30, outcome -> answers.put(30, outcome));
                world.await(() -> answers.size() == 31, Duration.ofMillis(10), Duration.ofMinutes(1));
            });
            assertThat(answers).as("seed %s", seed).hasSize(31).containsEntry(30, "done 30");
            answers.forEach((number, outcome) -> assertThat(outcome).isIn("done " + number, "again"));
        }
    }
}
