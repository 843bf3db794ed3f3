package dev.dormouse.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.QueueOptions;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.embedded.ConfigurationAccess;
import dev.dormouse.sim.PathCounts.Path;
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
import org.junit.jupiter.api.Test;

/**
 * A thread of a node receives the result of a start or a claim, and pauses. Meanwhile the store fails over and loses that
 * transaction, and another thread of the node notices the failover. Then the first thread executes the run under a lease
 * that does not exist. The store must refuse what it appends, even though the node knows the new epoch by then.
 */
class LateAnswerTest {
    private static final int STEPS = 5;
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final SimWorld world = new SimWorld(1);
    private final PathCounts counts = new PathCounts();
    private final AuditedStore store = new AuditedStore(world, counts);
    private final SimDatabase database = new SimDatabase(world, store);
    private final List<String> log = new ArrayList<>();

    /** The method of {@link Store} whose next result is late; empty if none is. */
    private String late = "";

    private Dormouse open() {
        SimNode node = world.newNode("node");
        DormouseBuilder builder = Dormouse.builder()
                .leasePeriod(Duration.ofSeconds(30))
                .sweepInterval(Duration.ofSeconds(1))
                .maxParkTime(Duration.ofSeconds(30))
                .queue("q", QueueOptions.DEFAULT)
                .workflow("steps", String.class, String.class, (ctx, input) -> {
                    for (int i = 0; i < STEPS; i++) {
                        String step = "s" + i;
                        ctx.step(step, () -> {
                            log.add(step);
                            node.threads().newGate().pass(Duration.ofMillis(300));
                        });
                        if (input.equals("sends") && i == 0) {
                            ctx.signal("nobody", "hello");
                        }
                    }
                    return "done";
                })
                .workflow("listener", String.class, String.class, (ctx, input) -> {
                    String heard = "";
                    while (!heard.equals("end")) {
                        heard = ctx.waitForSignal("say", Duration.ofSeconds(25))
                                .orElseThrow()
                                .value(String.class);
                        log.add(heard);
                    }
                    return "done";
                });
        return ConfigurationAccess.open(builder, connect(node), node.threads(), node.random());
    }

    private Store connect(SimNode node) {
        Store store = database.connect(node, FaultProfile.CALM);
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(store, arguments);
                        if (late.equals(method.getName()) && !isEmpty(result)) {
                            late = "";
                            database.failOver(1);
                            node.threads().newGate().pass(PAUSE);
                        }
                        return result;
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getTargetException();
                    }
                });
    }

    private static boolean isEmpty(Object result) {
        return result instanceof QueueClaimed claimed && claimed.runs().isEmpty();
    }

    @Test
    void appendsOfARunWhoseStartWasLostAreRefused() {
        world.run(() -> {
            Dormouse node = open();
            world.sleep(Duration.ofSeconds(1));
            late = "start";
            node.start("steps", "w", String.class, "");
            world.sleep(PAUSE.multipliedBy(2));
            assertThat(store.current(0, "w")).isEmpty();
            assertThat(log).containsExactly("s0");
            assertThat(counts.of(Path.APPEND_OF_ANOTHER_EPOCH)).isOne();
            assertThat(counts.of(Path.FIRST_APPEND)).isZero();
        });
    }

    /**
     * The run is pending again, and the node claims it twice. The first execution stops when its first append is refused,
     * so only the second one executes the steps. The message that the run sends makes an owner's commit necessary, which a
     * store may keep in the run's row and which must therefore not meet an append of the first execution.
     */
    @Test
    void appendsOfARunWhoseClaimWasLostAreRefused() {
        world.run(() -> {
            Dormouse node = open();
            world.sleep(Duration.ofSeconds(1));
            late = "claimQueued";
            StartOptions queued = StartOptions.DEFAULT.withQueue("q");
            WorkflowHandle<String> handle = node.start("steps", "w", queued, String.class, "sends");
            world.sleep(Duration.ofSeconds(2));
            handle.signal("mail");
            world.sleep(PAUSE.multipliedBy(4));
            assertThat(handle.describe().status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(log).containsExactly("s0", "s1", "s2", "s3", "s4");
            assertThat(counts.of(Path.APPEND_OF_ANOTHER_EPOCH)).isOne();
            assertThat(counts.of(Path.FIRST_APPEND)).isEqualTo(4); // the beginning, s1, s2 and s3
            assertThat(counts.of(Path.FULL_COMMIT)).isEqualTo(2); // s0 with the message, s4 with the result
            assertThat(counts.of(Path.CONFLICTING_APPEND)).isZero();
        });
    }

    /**
     * The node that delivers a message gives it to the run in its memory. Here the store has lost the message before that,
     * and its position belongs to the next one.
     */
    @Test
    void messageThatWasLostIsNotTaken() {
        world.run(() -> {
            Dormouse node = open();
            WorkflowHandle<String> handle = node.start("listener", "w", String.class, "");
            handle.signal("say", "first");
            world.sleep(Duration.ofSeconds(1));
            assertThat(store.current(0, "w").orElseThrow().owner())
                    .as("in memory")
                    .isNotEmpty();
            late = "deliver";
            handle.signal("say", "lost");
            world.sleep(PAUSE);
            assertThat(log).containsOnly("first");
            handle.signal("say", "end");
            world.sleep(PAUSE);
            assertThat(handle.describe().status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(log).containsOnly("first", "end");
        });
    }
}
