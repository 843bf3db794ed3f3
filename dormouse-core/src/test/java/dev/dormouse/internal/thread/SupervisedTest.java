package dev.dormouse.internal.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.testing.sim.SimWorld;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Engine loops that end with an error and restart after a delay. */
class SupervisedTest {

    @ParameterizedTest
    @ValueSource(
            classes = {
                OutOfMemoryError.class,
                StackOverflowError.class,
                NoClassDefFoundError.class,
                IllegalStateException.class
            })
    void loopThatIsEndedByAnErrorBeginsAgain(Class<? extends Throwable> kind) {
        SimWorld world = new SimWorld(1);
        world.run(() -> {
            int[] begun = {0};
            Runnable loop = () -> {
                if (++begun[0] < 4) {
                    SupervisedTest.<RuntimeException>raise(kind);
                }
            };
            new Supervised(world.newNode("n").threads(), "loop", loop).run();
            assertThat(begun[0]).isEqualTo(4);
            assertThat(world.elapsed()).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
        });
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void raise(Class<? extends Throwable> kind) throws E {
        try {
            throw (E) kind.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException impossible) {
            throw new LinkageError(impossible.getMessage(), impossible);
        }
    }
}
