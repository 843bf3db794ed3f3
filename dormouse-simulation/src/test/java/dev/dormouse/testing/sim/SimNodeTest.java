package dev.dormouse.testing.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.internal.thread.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimNodeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final SimWorld world = new SimWorld(11);
    private final List<String> log = new ArrayList<>();

    /** Logs a line every second. */
    private void talk(SimNode node) {
        node.threads().startEngine("talker", () -> {
            Gate gate = node.threads().newGate();
            for (int i = 1; ; i++) {
                gate.pass(SECOND);
                log.add(node + " " + i);
            }
        });
    }

    @Test
    void killedNodeFallsSilentAndItsThreadsUnwind() {
        world.run(() -> {
            SimNode node = world.newNode("a");
            SimNode other = world.newNode("b");
            node.threads().startEngine("waiter", () -> {
                try {
                    node.threads().newGate().pass();
                } catch (NodeKilled dead) {
                    log.add("unwound");
                    throw dead;
                }
            });
            talk(node);
            talk(other);
            world.sleep(Duration.ofMillis(2500));
            node.kill();
            assertThat(node.isKilled()).isTrue();
            world.sleep(SECOND);
        });
        assertThat(log).containsExactlyInAnyOrder("a 1", "b 1", "a 2", "b 2", "unwound", "b 3");
        assertThat(log).endsWith("unwound", "b 3");
    }

    @Test
    void deadThreadTouchesNothingWhileItUnwinds() {
        Gate[] shared = new Gate[1];
        boolean[] opened = new boolean[1];
        world.run(() -> {
            SimNode node = world.newNode("a");
            shared[0] = world.driver().threads().newGate();
            node.threads().startEngine("dying", () -> {
                Gate own = node.threads().newGate();
                try {
                    own.pass();
                } finally {
                    shared[0].open();
                    assertThatThrownBy(() -> own.pass(SECOND)).isInstanceOf(NodeKilled.class);
                    assertThatThrownBy(() -> node.threads().startCode("child", () -> log.add("child")))
                            .isInstanceOf(NodeKilled.class);
                }
            });
            world.sleep(SECOND);
            node.kill();
            opened[0] = shared[0].pass(SECOND);
        });
        assertThat(opened[0]).isFalse();
        assertThat(log).isEmpty();
    }

    @Test
    void threadThatKillsItsOwnNodeDiesAtItsNextGate() {
        world.run(() -> {
            SimNode node = world.newNode("a");
            node.onKilled(() -> log.add("noticed"));
            node.threads().startEngine("suicide", () -> {
                node.kill();
                log.add("still here");
                node.threads().newGate().pass(SECOND);
                log.add("never");
            });
            world.sleep(Duration.ofSeconds(5));
        });
        assertThat(log).containsExactly("noticed", "still here");
    }

    @Test
    void threadThatDoesNotWantToDieIsReported() {
        assertThatThrownBy(() -> world.run(() -> {
                    SimNode node = world.newNode("a");
                    node.threads().startEngine("undead", () -> {
                        while (true) {
                            try {
                                node.threads().newGate().pass(SECOND);
                            } catch (NodeKilled swallowed) {
                                log.add("swallowed");
                            }
                        }
                    });
                    world.sleep(SECOND);
                    node.kill();
                    world.sleep(SECOND);
                }))
                .hasMessageContaining("a/undead#1 to end with its node, but it swallows the error");
    }

    @Test
    void pausedNodeStandsStillWhileTimeGoesOn() {
        List<Duration> said = new ArrayList<>();
        world.run(() -> {
            SimNode node = world.newNode("a");
            node.threads().startEngine("talker", () -> {
                Gate gate = node.threads().newGate();
                while (true) {
                    gate.pass(SECOND);
                    said.add(world.elapsed());
                }
            });
            world.sleep(Duration.ofMillis(1500));
            node.pauseFor(Duration.ofSeconds(10));
            world.sleep(Duration.ofSeconds(12));
        });
        assertThat(said.get(0)).isLessThan(Duration.ofMillis(1100));
        assertThat(said.get(1)).isEqualTo(Duration.ofMillis(11_500));
        assertThat(said.get(2)).isGreaterThan(Duration.ofMillis(12_400));
    }

    @Test
    void pausedNodeCanBeKilled() {
        world.run(() -> {
            SimNode node = world.newNode("a");
            talk(node);
            node.pause();
            world.sleep(Duration.ofSeconds(10));
            node.kill();
            node.resume();
            world.sleep(Duration.ofSeconds(10));
        });
        assertThat(log).isEmpty();
    }

    @Test
    void deadlockOfAPausedNodeSaysSo() {
        assertThatThrownBy(() -> world.run(() -> {
                    SimNode node = world.newNode("a");
                    Gate gate = world.driver().threads().newGate();
                    node.threads().startCode("opener", gate::open);
                    node.pause();
                    gate.pass();
                }))
                .hasMessageContaining("a/opener#1 READY (paused)");
    }
}
