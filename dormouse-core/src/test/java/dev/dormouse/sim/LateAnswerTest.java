package dev.dormouse.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.QueueOptions;
import dev.dormouse.StartOptions;
import dev.dormouse.internal.embedded.ConfigurationAccess;
import dev.dormouse.store.Store;
import dev.dormouse.store.queue.QueueClaimed;
import dev.dormouse.testing.sim.FaultProfile;
import dev.dormouse.testing.sim.SimDatabase;
import dev.dormouse.testing.sim.SimNode;
import dev.dormouse.testing.sim.SimWorld;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * A thread of a node gets the answer of a start or a claim, and stands still. Meanwhile the store fails over and loses
 * that transaction, and another thread of the node notices the failover. Then the first thread begins the run.
 */
class LateAnswerTest {
    private final SimWorld world = new SimWorld(1);
    private final Map<String, Integer> counts = new TreeMap<>();
    private final AuditedStore store = new AuditedStore(world, counts);
    private final SimDatabase database = new SimDatabase(world, store);
    private final List<String> log = new ArrayList<>();
    private String held = "";

    private Dormouse open(String name) {
        SimNode node = world.newNode(name);
        Store real = database.connect(node, FaultProfile.CALM);
        Store slow = (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    try {
                        Object answer = method.invoke(real, arguments);
                        boolean isEmpty = answer instanceof QueueClaimed claimed
                                && claimed.runs().isEmpty();
                        if (held.equals(name + " " + method.getName()) && !isEmpty) {
                            held = "";
                            world.note(node, "stands still after " + method.getName());
                            database.failOver(1);
                            node.threads().newGate().pass(Duration.ofSeconds(5));
                        }
                        return answer;
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getTargetException();
                    }
                });
        DormouseBuilder builder = Dormouse.builder()
                .leasePeriod(Duration.ofSeconds(30))
                .sweepInterval(Duration.ofSeconds(1))
                .queue("q", QueueOptions.DEFAULT)
                .workflow("steps", String.class, String.class, (ctx, input) -> {
                    for (int i = 0; i < 5; i++) {
                        String step = "s" + i;
                        ctx.step(step, () -> {
                            log.add(name + " " + step);
                            node.threads().newGate().pass(Duration.ofMillis(300));
                        });
                    }
                    return "done";
                });
        return ConfigurationAccess.open(builder, slow, node.threads(), node.random());
    }

    /** The run does not exist any more: what the node appends has no run. */
    @Test
    void startThatWasLostAppendsNothing() {
        world.run(() -> {
            Dormouse one = open("one");
            world.sleep(Duration.ofSeconds(1));
            held = "one start";
            one.start("steps", "w", String.class, "");
            world.sleep(Duration.ofSeconds(10));
            System.out.println("COUNT " + counts + log);
            assertThat(store.current(0, "w")).isEmpty();
        });
    }

    /** The run waits again, and another node claims it: both append, and an owner's commit may be kept in the row. */
    @Test
    void queueClaimThatWasLostAppendsNothing() {
        world.run(() -> {
            Dormouse one = open("one");
            world.sleep(Duration.ofSeconds(1));
            held = "one claimQueued";
            one.start("steps", "w", StartOptions.DEFAULT.withQueue("q"), String.class, "");
            world.sleep(Duration.ofSeconds(2));
            one.find("w", String.class).orElseThrow().signal("mail");
            world.sleep(Duration.ofMillis(3_400));
            open("two");
            world.sleep(Duration.ofSeconds(20));
            System.out.println("COUNT " + counts + log);
        });
    }
}
