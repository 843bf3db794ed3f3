package dev.dormouse.internal.engine.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.StoreTrouble;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.store.Store;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.testing.sim.SimWorld;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Outages as they begin and end, and what is not an outage. */
class StoreWatchTest {
    private static final UUID RUN = UUID.randomUUID();

    /** The failure of {@code renew}, which stands for writes; {@code current} is always answered. */
    private @Nullable StoreException failure;

    private final List<String> told = new ArrayList<>();
    private Runnable onBegin = () -> {};

    private Store store() {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("renew") && failure != null) {
                        throw failure;
                    }
                    return method.getName().equals("current") ? Optional.empty() : null;
                });
    }

    private static StoreException of(StoreTrouble trouble) {
        return new StoreException(ErrorCode.STORE_UNAVAILABLE, trouble, "test", null);
    }

    private static void write(Store store) {
        try {
            store.renew(0, List.of(), Duration.ofSeconds(1));
        } catch (StoreException expected) {
            // the caller tries again
        }
    }

    private void play(BiConsumer<SimWorld, Watched> test) {
        SimWorld world = new SimWorld(1);
        world.run(() -> {
            Threads threads = world.driver().threads();
            StoreWatch watch = new StoreWatch(threads);
            watch.begin(new StoreWatch.Listener() {
                @Override
                public void outageBegan(StoreTrouble trouble, String reason) {
                    onBegin.run();
                    told.add("began " + trouble);
                }

                @Override
                public void outageEnded(StoreTrouble trouble, Duration lasted) {
                    told.add("ended " + trouble);
                }
            });
            test.accept(world, new Watched(watch, watch.over(store())));
            watch.close();
        });
    }

    private record Watched(StoreWatch watch, Store store) {}

    @Test
    void readsDoNotEndAnOutageOfWrites() {
        play((world, one) -> {
            failure = of(StoreTrouble.READ_ONLY);
            for (int i = 0; i < 300; i++) {
                if (i % 10 == 0) {
                    write(one.store());
                }
                one.store().current(0, "id");
                world.sleep(Duration.ofSeconds(1));
            }
            assertThat(told).containsExactly("began READ_ONLY");
            failure = null;
            write(one.store());
            world.sleep(Duration.ofSeconds(20));
            assertThat(told).containsExactly("began READ_ONLY", "ended READ_ONLY");
        });
    }

    @Test
    void outageOfAnOperationThatIsNotCalledAgainEnds() {
        play((world, one) -> {
            failure = of(StoreTrouble.REFUSED);
            write(one.store());
            for (int i = 0; i < 120; i++) {
                one.store().current(0, "id");
                world.sleep(Duration.ofSeconds(1));
            }
            assertThat(told).containsExactly("began REFUSED", "ended REFUSED");
        });
    }

    @Test
    void failureOfAnInterruptedCallerIsNotAnOutage() {
        play((world, one) -> {
            failure = of(StoreTrouble.AWAY);
            Thread.currentThread().interrupt();
            write(one.store());
            assertThat(Thread.interrupted()).isTrue();
            assertThat(one.watch().outages()).isEmpty();
        });
    }

    @Test
    void failuresOfANodeThatClosesAreNotAnOutage() {
        play((world, one) -> {
            one.watch().close();
            failure = of(StoreTrouble.AWAY);
            write(one.store());
            world.sleep(Duration.ofSeconds(10));
            assertThat(told).isEmpty();
        });
    }

    @Test
    void monitorThatTakesLongHoldsUpNoCall() {
        play((world, one) -> {
            onBegin = () -> world.sleep(Duration.ofSeconds(30));
            failure = of(StoreTrouble.AWAY);
            long began = world.driver().threads().nanoTime();
            write(one.store());
            one.store().current(0, "id");
            assertThat(one.watch().outages()).hasSize(1);
            assertThat(Duration.ofNanos(world.driver().threads().nanoTime() - began))
                    .isLessThan(Duration.ofSeconds(1));
            failure = null;
            write(one.store());
            world.sleep(Duration.ofMinutes(2));
            assertThat(told).containsExactly("began AWAY", "ended AWAY");
        });
    }

    @Test
    void twoKindsAtOnceBeginAndEndEachByItself() {
        play((world, one) -> {
            failure = of(StoreTrouble.FULL);
            write(one.store());
            failure = of(StoreTrouble.AWAY);
            write(one.store());
            for (int i = 0; i < 10; i++) {
                failure = of(StoreTrouble.FULL);
                write(one.store());
                one.store().current(0, RUN.toString());
                world.sleep(Duration.ofSeconds(1));
            }
            assertThat(told).containsExactly("began FULL", "began AWAY", "ended AWAY");
            failure = null;
            write(one.store());
            world.sleep(Duration.ofSeconds(10));
            assertThat(told).containsExactly("began FULL", "began AWAY", "ended AWAY", "ended FULL");
        });
    }
}
