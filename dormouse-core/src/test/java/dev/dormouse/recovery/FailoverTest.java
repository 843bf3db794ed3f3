package dev.dormouse.recovery;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Box;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Failovers to a standby store during all kinds of work. */
class FailoverTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static DormouseBuilder work(DormouseBuilder node, SimulatedDormouse sim) {
        return node.leasePeriod(Duration.ofMinutes(2)).workflow("steps", Integer.class, String.class, (ctx, count) -> {
            for (int i = 0; i < count; i++) {
                ctx.step("s" + i, () -> sim.advance(Duration.ofMillis(200)));
                if (i % 5 == 4) {
                    ctx.sleep(Duration.ofMillis(300));
                }
            }
            return "done";
        });
    }

    @Test
    void runsOfALivingNodeResumeBeforeTheirLeaseEnds() {
        for (int lost : new int[] {0, 1, 3}) {
            simulate(sim -> {
                Dormouse dormouse = sim.open(node -> work(node, sim));
                for (int i = 0; i < 20; i++) {
                    dormouse.start("steps", "w" + i, String.class, 20);
                }
                sim.advance(Duration.ofMillis(1_700));
                sim.failOver(lost);
                sim.advance(SECOND.multipliedBy(30));
                int done = 0;
                for (int i = 0; i < 20; i++) {
                    done += dormouse.find("w" + i, String.class)
                                            .orElseThrow()
                                            .describe()
                                            .status()
                                    == RunStatus.COMPLETED
                            ? 1
                            : 0;
                }
                assertThat(done)
                        .as("of 20 runs, " + lost + " transactions lost")
                        .isGreaterThanOrEqualTo(20 - lost);
            });
        }
    }

    @Test
    void runThatWaitsInMemoryResumesAtItsTime() {
        simulate(sim -> {
            Dormouse dormouse =
                    sim.open(node -> work(node, sim).workflow("naps", String.class, String.class, (ctx, input) -> {
                        for (int i = 0; i < 5; i++) {
                            ctx.sleep(SECOND.multipliedBy(2));
                        }
                        return "rested";
                    }));
            WorkflowHandle<String> handle = dormouse.start("naps", "n", String.class, "");
            sim.advance(SECOND.multipliedBy(3));
            sim.failOver(0);
            sim.advance(SECOND.multipliedBy(12));
            assertThat(handle.describe().status()).isEqualTo(RunStatus.COMPLETED);
        });
    }

    /** The first of two signals is delivered, but the standby does not have it when a later page is read. */
    @Test
    void signalsThatWereSentInOrderArriveInOrder() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(Box.class, Box.Open::new)
                    .workflow("sender", String.class, String.class, (ctx, input) -> {
                        ctx.signal("b", "put", "0");
                        IntStream.range(0, 1_100).forEach(i -> ctx.signal("nobody-" + i, "put", "x"));
                        ctx.signal("b", "put", "1");
                        ctx.signal("b", "end");
                        return "sent";
                    }));
            Box box = dormouse.workflow(Box.class, "b");
            WorkflowHandle<String> handle = dormouse.start(() -> box.run(""));
            sim.store().onNextPage = () -> loseMail(sim, "b");
            dormouse.start("sender", "s", String.class, "");
            assertThat(sim.result(handle)).isEqualTo("0,1");
            assertThat(sim.log()).containsExactly("lost");
        });
    }

    private static void loseMail(SimulatedDormouse sim, String workflowId) {
        if (sim.store().current(0, workflowId).orElseThrow().mail() > 0) {
            sim.store().onNextPage = () -> {};
            sim.log("lost");
            while (sim.store().current(0, workflowId).orElseThrow().mail() > 0) {
                sim.store().failOver(1);
            }
        }
    }

    /** The node learns of the failover by a refused commit, before its next sweep. */
    @Test
    void transactionsOfALivingNodeResumeBeforeTheirLeaseEnds() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> work(node, sim)
                    .workflow("transactions", Integer.class, String.class, (ctx, count) -> {
                        for (int i = 0; i < count; i++) {
                            ctx.transaction(
                                    "t" + i,
                                    ActivityOptions.DEFAULT,
                                    connection -> sim.advance(Duration.ofMillis(100)));
                        }
                        return "done";
                    }));
            for (int i = 0; i < 20; i++) {
                dormouse.start("transactions", "w" + i, String.class, 40);
            }
            sim.advance(Duration.ofMillis(1_700));
            sim.store().failOver(0); // behind a proxy: no connection breaks, so that a fenced commit is the first sign
            sim.advance(SECOND.multipliedBy(60));
            for (int i = 0; i < 20; i++) {
                assertThat(dormouse.find("w" + i, String.class)
                                .orElseThrow()
                                .describe()
                                .status())
                        .as("run " + i)
                        .isEqualTo(RunStatus.COMPLETED);
            }
        });
    }
}
