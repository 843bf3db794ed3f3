package dev.dormouse.testing.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.internal.thread.Gate;
import dev.dormouse.internal.thread.Threads;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class SimWorldTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Threads of three nodes pass tokens around through gates, by chance and with time limits. */
    private static final class TokenRing {
        private final SimWorld world;
        private final List<Gate> gates = new ArrayList<>();
        private final List<String> log = new ArrayList<>();
        private int finished;

        TokenRing(long seed) {
            world = new SimWorld(seed);
        }

        TokenRing play() {
            world.run(() -> {
                for (int i = 0; i < 12; i++) {
                    Threads threads = world.newNode("n" + i % 3).threads();
                    gates.add(threads.newGate());
                    int number = i;
                    threads.startCode("player-" + i, () -> play(number));
                }
                world.await(() -> finished == 12, SECOND, Duration.ofHours(1));
            });
            return this;
        }

        private void play(int number) {
            for (int i = 0; i < 20; i++) {
                gates.get(world.random().nextInt(gates.size())).open();
                boolean open = gates.get(number)
                        .pass(Duration.ofMillis(1 + world.random().nextInt(5)));
                log.add(number + (open ? "+" : "-"));
            }
            finished++;
        }
    }

    @Test
    void sameSeedGivesTheSameOrderOfEvents() {
        for (long seed = 0; seed < 50; seed++) {
            TokenRing one = new TokenRing(seed).play();
            TokenRing other = new TokenRing(seed).play();
            assertThat(one.log).hasSize(240).isEqualTo(other.log);
            assertThat(one.world.traceHash()).isEqualTo(other.world.traceHash());
            assertThat(one.world.elapsed()).isEqualTo(other.world.elapsed());
        }
    }

    @Test
    void otherSeedsGiveOtherOrders() {
        Set<List<String>> logs = new HashSet<>();
        Set<Long> hashes = new HashSet<>();
        for (long seed = 0; seed < 50; seed++) {
            TokenRing ring = new TokenRing(seed).play();
            logs.add(ring.log);
            hashes.add(ring.world.traceHash());
        }
        assertThat(logs).hasSize(50);
        assertThat(hashes).hasSize(50);
    }

    @Test
    void hoursPassInNoTimeAndInOrder() {
        SimWorld world = new SimWorld(1);
        List<String> log = new ArrayList<>();
        Instant beginning = world.storeClock().instant();
        world.run(() -> {
            world.driver().threads().startCode("a", () -> {
                world.sleep(Duration.ofDays(300));
                log.add("300 days");
            });
            world.driver().threads().startCode("b", () -> {
                world.sleep(Duration.ofHours(3));
                log.add("3 hours");
            });
            world.after(Duration.ofDays(1), () -> log.add("1 day"));
            world.sleep(Duration.ofDays(365));
            log.add("1 year");
        });
        assertThat(log).containsExactly("3 hours", "1 day", "300 days", "1 year");
        assertThat(world.elapsed()).isEqualTo(Duration.ofDays(365));
        assertThat(world.storeClock().instant()).isEqualTo(beginning.plus(Duration.ofDays(365)));
    }

    @Test
    void onlyOneThreadRunsAtATime() {
        SimWorld world = new SimWorld(7);
        int[] counter = {0};
        world.run(() -> {
            for (int i = 0; i < 20; i++) {
                world.newNode("n" + i).threads().startCode("adder", () -> {
                    Gate gate = world.driver().threads().newGate();
                    for (int j = 0; j < 100; j++) {
                        counter[0]++;
                        gate.pass(Duration.ZERO);
                    }
                });
            }
            world.sleep(SECOND);
        });
        assertThat(counter[0]).isEqualTo(2_000);
    }

    @Test
    void gateRemembersOneOpeningAndClosesBehindTheOneWhoPasses() {
        SimWorld world = new SimWorld(1);
        List<Boolean> passed = new ArrayList<>();
        world.run(() -> {
            Gate gate = world.driver().threads().newGate();
            gate.open();
            gate.open();
            gate.pass();
            passed.add(gate.pass(SECOND));
            world.after(SECOND, gate::open);
            passed.add(gate.pass(SECOND.multipliedBy(2)));
        });
        assertThat(passed).containsExactly(false, true);
        assertThat(world.elapsed()).isEqualTo(SECOND.multipliedBy(2));
    }

    @Test
    void waitThatEndedEarlyLeavesNoTimeBehind() {
        SimWorld world = new SimWorld(1);
        world.run(() -> {
            Gate gate = world.driver().threads().newGate();
            world.after(SECOND, gate::open);
            gate.pass(Duration.ofDays(1));
            gate.pass(SECOND);
        });
        assertThat(world.elapsed()).isEqualTo(SECOND.multipliedBy(2));
    }

    @Test
    void nodesHaveTheirOwnClocksAndNeverWaitTooShortByThem() {
        SimWorld world = new SimWorld(3);
        Set<Long> worldTimes = new HashSet<>();
        world.run(() -> {
            for (int i = 0; i < 10; i++) {
                Threads threads = world.newNode("n" + i).threads();
                threads.startCode("sleeper", () -> {
                    long before = threads.nanoTime();
                    threads.newGate().pass(Duration.ofHours(1));
                    assertThat(threads.nanoTime() - before).isBetween(3_600_000_000_000L - 1_000, 3_600_000_001_000L);
                    worldTimes.add(world.elapsed().toNanos());
                });
            }
            world.sleep(Duration.ofHours(2));
        });
        assertThat(worldTimes).hasSize(10);
    }

    @Test
    void deadlockIsReportedWithWhoWaitsWhere() {
        SimWorld world = new SimWorld(4);
        assertThatThrownBy(() -> world.run(() -> waitForNobody(world)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("seed 4")
                .hasMessageContaining("all wait forever")
                .hasMessageContaining("driver/main#0 WAITING")
                .hasMessageContaining("SimWorldTest.waitForNobody");
    }

    private static void waitForNobody(SimWorld world) {
        world.driver().threads().newGate().pass();
    }

    @Test
    void loopWithoutTimeIsReported() {
        SimWorld world = new SimWorld(4);
        assertThatThrownBy(() -> world.run(() -> {
                    while (true) {
                        world.sleep(Duration.ZERO);
                    }
                }))
                .hasMessageContaining("Expected time to pass");
    }

    @Test
    void failureOfAnyThreadEndsTheWorldWithItsSeed() {
        SimWorld world = new SimWorld(99);
        IllegalStateException cause = new IllegalStateException("broken");
        assertThatThrownBy(() -> world.run(() -> {
                    world.newNode("n").threads().startEngine("loop", () -> {
                        throw cause;
                    });
                    world.sleep(SECOND);
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("seed 99")
                .hasMessageContaining("broken")
                .hasCause(cause);
    }

    @Test
    void failureOfSomethingPlannedEndsTheWorldToo() {
        SimWorld world = new SimWorld(1);
        assertThatThrownBy(() -> world.run(() -> {
                    world.after(SECOND, () -> {
                        throw new IllegalStateException("planned");
                    });
                    world.sleep(SECOND.multipliedBy(2));
                }))
                .hasMessageContaining("planned");
    }

    @Test
    void gateIsForOneThreadAndForSimulatedOnesOnly() {
        SimWorld world = new SimWorld(1);
        Gate gate = world.driver().threads().newGate();
        assertThatThrownBy(gate::pass).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> world.run(() -> {
                    world.driver().threads().startCode("other", gate::pass);
                    gate.pass();
                }))
                .hasMessageContaining("Expected one thread at a gate");
    }

    @Test
    void threadThatWaitsForSomethingElseIsReported() {
        SimWorld world = new SimWorld(1, SimWorld.BEGINNING, Duration.ofMillis(300));
        CountDownLatch never = new CountDownLatch(1);
        assertThatThrownBy(() -> world.run(() -> waitElsewhere(never)))
                .hasMessageContaining("it waits for something else")
                .hasMessageContaining("SimWorldTest.waitElsewhere");
        never.countDown();
    }

    private static void waitElsewhere(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    @Test
    void everyThreadIsUnwoundWhenTheDriverReturns() {
        SimWorld world = new SimWorld(5);
        CountDownLatch unwound = new CountDownLatch(50);
        world.run(() -> {
            for (int i = 0; i < 50; i++) {
                Threads threads = world.newNode("n" + i).threads();
                threads.startEngine("waiter", () -> {
                    try {
                        threads.newGate().pass();
                    } finally {
                        unwound.countDown();
                    }
                });
            }
            world.sleep(SECOND);
        });
        assertThat(unwound.getCount()).isZero();
    }
}
