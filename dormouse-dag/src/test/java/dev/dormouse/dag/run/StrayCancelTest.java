package dev.dormouse.dag.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.Dags;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.embedded.ConfigurationAccess;
import dev.dormouse.plugin.Plugin;
import dev.dormouse.plugin.PluginHost;
import dev.dormouse.testing.memory.MemoryStore;
import dev.dormouse.testing.sim.FaultProfile;
import dev.dormouse.testing.sim.SimDatabase;
import dev.dormouse.testing.sim.SimNode;
import dev.dormouse.testing.sim.SimWorld;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A cancelOn message of a run affects only that run, not the next one of its workflow id. */
class StrayCancelTest {
    private static final Dag DAG = Dag.workflow("d")
            .singleton()
            .cancelOn("stop", Map.of())
            .waitForEvent("wait", "stop", Map.of("n", 1), Duration.ofHours(1))
            .build();

    private static SimNode open(SimWorld world, SimDatabase database, Dags dags) {
        SimNode node = world.newNode("node of " + dags.hashCode());
        FaultProfile slow = FaultProfile.CALM.withLatency(Duration.ofMillis(100));
        ConfigurationAccess.open(
                Dormouse.builder()
                        .eventWindow(Duration.ZERO)
                        .plugin(new Publisher(dags))
                        .plugin(dags),
                database.connect(node, slow),
                node.threads(),
                node.random());
        return node;
    }

    private record Publisher(Dags dags) implements Plugin {
        @Override
        public void register(DormouseBuilder builder) {}

        @Override
        public void opening(PluginHost host) {
            hosts.put(dags, host);
        }
    }

    private static final IdentityHashMap<Dags, PluginHost> hosts = new IdentityHashMap<>();

    private static RunStatus status(SimDatabase database) {
        return database.store().current(0, "d").orElseThrow().status();
    }

    private static void scenario(SimWorld world) {
        SimDatabase database = new SimDatabase(world, new MemoryStore(world.storeClock(), 1));
        Dags one = Dags.of(DAG);
        SimNode node = open(world, database, one);
        DagRun first = one.start("d", Map.of("n", 1));
        world.sleep(Duration.ofSeconds(2));
        hosts.get(one).dormouse().publish("stop", Map.of("n", 1));
        world.await(() -> status(database).isClosed(), Duration.ofMillis(1), Duration.ofMinutes(1));
        node.kill();
        assertThat(status(database)).isEqualTo(RunStatus.COMPLETED);
        Dags two = Dags.of(DAG);
        open(world, database, two);
        DagRun second = two.start("d", Map.of("n", 2));
        assertThat(second.handle().runId()).isNotEqualTo(first.handle().runId());
        world.sleep(Duration.ofMinutes(2));
        assertThat(status(database)).isNotEqualTo(RunStatus.CANCELLED);
    }

    @Test
    void nextRunIsNotCancelled() {
        for (int seed = 1; seed <= 10; seed++) {
            SimWorld world = new SimWorld(seed);
            world.run(() -> scenario(world));
        }
    }
}
