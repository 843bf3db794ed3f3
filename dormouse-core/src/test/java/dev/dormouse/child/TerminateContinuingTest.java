package dev.dormouse.child;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Terminations and closing parents while a run continues as new. */
class TerminateContinuingTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static DormouseBuilder family(DormouseBuilder node, Duration round) {
        return SimulatedDormouse.echo(node)
                .workflow("parent", Integer.class, String.class, (ctx, millis) -> {
                    String id = ctx.info().workflowId() + "-child";
                    ctx.child("child", id, ChildOptions.DEFAULT, String.class, 0);
                    ctx.sleep(Duration.ofMillis(millis));
                    return "closed";
                })
                .workflow("child", Integer.class, String.class, (ctx, number) -> {
                    ctx.sleep(round);
                    ctx.continueAsNew(number + 1);
                    return "";
                })
                .workflow(
                        "grandparent",
                        String.class,
                        String.class,
                        (ctx, input) -> ctx.child(
                                        "echo",
                                        ctx.info().workflowId() + "-echo",
                                        ChildOptions.DEFAULT,
                                        String.class,
                                        input)
                                .get());
    }

    private static void assertAllEnd(SimulatedDormouse sim, Dormouse dormouse, int parents) {
        for (int i = 0; i < parents; i++) {
            String id = "p" + i + "-child";
            assertThat(dormouse.find(id, String.class).orElseThrow().describe().status())
                    .as(id)
                    .isEqualTo(RunStatus.TERMINATED);
        }
        WorkflowHandle<String> unrelated = dormouse.start("grandparent", "g", String.class, "hello");
        sim.advance(MINUTE);
        assertThat(unrelated.describe().status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(sim.store().outbox(0, 10)).isEmpty();
    }

    @Test
    void childThatContinuesAllTheTimeEndsWithItsParent() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> family(node, Duration.ofMillis(100)));
            for (int i = 0; i < 40; i++) {
                dormouse.start("parent", "p" + i, String.class, 500 + 7 * i);
            }
            sim.advance(MINUTE);
            assertAllEnd(sim, dormouse, 40);
        });
    }

    @Test
    void childThatContinuesWithoutAnyWaitEndsWithItsParentOnTwoNodes() {
        simulate(sim -> {
            sim.open(node -> family(node, Duration.ZERO));
            Dormouse dormouse = sim.open(node -> family(node, Duration.ZERO));
            for (int i = 0; i < 10; i++) {
                dormouse.start("parent", "p" + i, String.class, 100 * i);
            }
            sim.advance(MINUTE);
            assertAllEnd(sim, dormouse, 10);
        });
    }

    @Test
    void callerTerminatesARunThatContinuesAllTheTime() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> family(node, Duration.ZERO));
            WorkflowHandle<String> handle = dormouse.start("child", "c", String.class, 0);
            for (int i = 0; i < 20; i++) {
                sim.advance(Duration.ofMillis(200 + 7L * i));
                assertThat(handle.terminate("enough")).isTrue();
                sim.advance(SECOND);
                assertThat(dormouse.find(handle.workflowId(), String.class)
                                .orElseThrow()
                                .describe()
                                .status())
                        .isEqualTo(RunStatus.TERMINATED);
                handle = dormouse.start("child", "c" + i, String.class, 0);
            }
            assertThat(sim.elapsed()).isLessThan(MINUTE);
        });
    }

    @Test
    void parentOfATerminatedSuccessorIsNotified() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> family(node, Duration.ZERO)
                    .workflow("waits", String.class, String.class, (ctx, input) -> {
                        try {
                            return ctx.child("child", "c", ChildOptions.DEFAULT, String.class, 0)
                                    .get();
                        } catch (DormouseException ended) {
                            return "it ended";
                        }
                    }));
            WorkflowHandle<String> parent = dormouse.start("waits", "w", String.class, "");
            sim.advance(SECOND);
            assertThat(dormouse.find("c", String.class).orElseThrow().terminate("enough"))
                    .isTrue();
            sim.advance(SECOND);
            assertThat(dormouse.find("c", String.class).orElseThrow().describe().status())
                    .isEqualTo(RunStatus.TERMINATED);
            assertThat(parent.describe().status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(sim.result(parent)).isEqualTo("it ended");
        });
    }
}
