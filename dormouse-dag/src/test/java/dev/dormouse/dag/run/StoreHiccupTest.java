package dev.dormouse.dag.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.Dags;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.embedded.ConfigurationAccess;
import dev.dormouse.testing.memory.MemoryStore;
import dev.dormouse.testing.sim.FaultProfile;
import dev.dormouse.testing.sim.SimDatabase;
import dev.dormouse.testing.sim.SimNode;
import dev.dormouse.testing.sim.SimWorld;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A run is not marked as stuck because the store did not respond once. */
class StoreHiccupTest {
    private static SimNode open(SimWorld world, SimDatabase database, Dags dags, FaultProfile profile) {
        SimNode node = world.newNode("node-" + dags.hashCode());
        ConfigurationAccess.open(
                Dormouse.builder().plugin(dags), database.connect(node, profile), node.threads(), node.random());
        return node;
    }

    private static void scenario(SimWorld world, Set<String> stuck) {
        SimDatabase database = new SimDatabase(world, new MemoryStore(world.storeClock(), 1));
        Dags one = Dags.of();
        Dags two = Dags.of();
        SimNode first = open(world, database, one, FaultProfile.CALM);
        open(world, database, two, FaultProfile.CALM.withUnknown(0.1));
        for (int i = 0; i < 20; i++) {
            one.register(
                    Dag.workflow("d" + i).sleep("nap", Duration.ofSeconds(40)).build());
            one.start("d" + i, "r" + i, null);
        }
        world.sleep(Duration.ofSeconds(10));
        first.kill();
        for (int second = 0; second < 60; second++) {
            world.sleep(Duration.ofSeconds(1));
            for (int i = 0; i < 20; i++) {
                var row = database.store().current(0, "r" + i).orElseThrow();
                if (row.status() == RunStatus.STUCK) {
                    stuck.add(row.trouble().replaceAll("[0-9a-f]{8}-\\S+", "…"));
                }
            }
        }
    }

    @Test
    void runIsNotStuckAfterAStoreOutage() {
        Set<String> stuck = new HashSet<>();
        for (int seed = 1; seed <= 3; seed++) {
            SimWorld world = new SimWorld(seed);
            try {
                world.run(() -> scenario(world, stuck));
            } catch (AssertionError couldNotOpen) {
                // try another seed
            }
        }
        assertThat(stuck).isEmpty();
    }
}
