package dev.dormouse.event;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.TypeRef;
import dev.dormouse.error.DormouseException;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.testing.sim.FaultProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Random faults during publishing and waiting: each wait gets exactly one event. */
class EventFuzzLossTest {
    private static final FaultProfile FLAKY = FaultProfile.HOSTILE.withCrashes(0);
    private static final int RUNS = 40;

    private static Dormouse open(SimulatedDormouse sim, UnaryOperator<DormouseBuilder> setUp) {
        while (true) {
            try {
                return sim.open(FLAKY, setUp);
            } catch (StoreException broken) {
                sim.advance(Duration.ofSeconds(1));
            }
        }
    }

    @Test
    void nothingIsLostAndNothingIsDoubled() {
        int[] round = {0};
        simulate(3, sim -> {
            Random random = new Random(++round[0]);
            UnaryOperator<DormouseBuilder> setUp = builder -> builder.eventWindow(Duration.ofMinutes(5))
                    .workflow("w", Integer.class, String.class, (ctx, id) -> {
                        ctx.sleep(Duration.ofMillis(id * 100L % 3_000));
                        String first = ctx.waitForEvent("tick", Map.of("id", id))
                                .payload(new TypeRef<Map<String, Object>>() {})
                                .get("n")
                                .toString();
                        String second = ctx.waitForEvent("tick", Map.of("id", id, "n", first.equals("1") ? 2 : 1))
                                .payload(new TypeRef<Map<String, Object>>() {})
                                .get("n")
                                .toString();
                        return first.compareTo(second) < 0 ? first + second : second + first;
                    });
            List<Dormouse> nodes = new ArrayList<>(List.of(open(sim, setUp), open(sim, setUp), open(sim, setUp)));
            List<int[]> publications = new ArrayList<>();
            for (int i = 0; i < RUNS; i++) {
                publications.add(new int[] {i, 1});
                publications.add(new int[] {i, 2});
                publications.add(new int[] {i, 0});
            }
            java.util.Collections.shuffle(publications, random);
            for (int[] one : publications) {
                Dormouse node = nodes.get(random.nextInt(nodes.size()));
                while (true) {
                    try {
                        if (one[1] == 0) {
                            node.start("w", "w-" + one[0], String.class, one[0]);
                        } else {
                            node.publishOnce(one[0] + "-" + one[1], "tick", Map.of("id", one[0], "n", one[1]));
                        }
                        break;
                    } catch (DormouseException again) {
                        sim.advance(Duration.ofMillis(100));
                    }
                }
                sim.advance(Duration.ofMillis(random.nextInt(200)));
                if (random.nextInt(25) == 0) {
                    int dead = random.nextInt(nodes.size());
                    sim.kill(nodes.get(dead));
                    nodes.set(dead, open(sim, setUp));
                }
            }
            nodes.forEach(node -> sim.behave(node, FaultProfile.CALM));
            for (int i = 0; i < RUNS; i++) {
                assertThat(sim.result(nodes.get(0).find("w-" + i, String.class).orElseThrow()))
                        .isEqualTo("12");
            }
        });
    }
}
