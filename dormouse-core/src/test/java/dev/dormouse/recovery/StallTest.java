package dev.dormouse.recovery;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.base.Notice;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Takeovers of runs by other nodes after stalls and outages, and cases in which a node must not take over. */
class StallTest {
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration SWEEP = Duration.ofSeconds(10);
    private static final Duration STEP = Duration.ofMinutes(1);

    /** Workflow "w" is one long step. */
    private static UnaryOperator<DormouseBuilder> longStep(SimulatedDormouse sim) {
        return node -> Scenario.with(node, (ctx, input) -> {
            ctx.step("long", () -> {
                sim.log("long " + input);
                sim.advance(STEP);
            });
            return "done";
        });
    }

    private static void start(SimulatedDormouse sim, Dormouse node, String id) {
        node.start("w", id, String.class, id);
        sim.await(id + " to execute", () -> sim.count("long " + id) == 1);
    }

    private static void takesOverBeside(ErrorCode failure, Duration atMost) {
        simulate(sim -> {
            Dormouse dying = sim.open(longStep(sim));
            Dormouse living = sim.open(longStep(sim));
            start(sim, dying, "orphan");
            start(sim, living, "bad");
            RunRow bad = sim.store().current(0, "bad").orElseThrow();
            sim.store().failing = commit -> commit.runId().equals(bad.runId()) ? failure : null;
            sim.advance(STEP); // from now on the commit of its step fails, again and again
            start(sim, dying, "another orphan");
            sim.kill(dying);
            Duration killed = sim.elapsed();
            sim.await("a takeover", () -> sim.count("long another orphan") == 2);
            assertThat(sim.elapsed().minus(killed)).isLessThan(atMost);
        });
    }

    @Test
    void nodeWithACommitThatTheStoreAlwaysRefusesTakesOver() {
        takesOverBeside(ErrorCode.STORE_FAILED, LEASE.plus(SWEEP));
    }

    @Test
    void nodeWithAConnectionThatAlwaysBreaksTakesOverALeaseLater() {
        takesOverBeside(ErrorCode.STORE_UNAVAILABLE, LEASE.multipliedBy(2).plus(SWEEP));
    }

    @Test
    void livingNodeKeepsItsRunsHoweverLongTheStoreWasAway() {
        for (int seconds = 1; seconds <= 30; seconds++) {
            Duration away = Duration.ofSeconds(seconds);
            simulate(sim -> {
                Dormouse busy = sim.open(longStep(sim));
                sim.open(longStep(sim));
                start(sim, busy, "w");
                sim.advance(Duration.ofMillis(3_300L + away.toSeconds() * 177));
                WorkflowHandle<String> handle = busy.find("w", String.class).orElseThrow();
                sim.outage(away);
                sim.advance(away.plusSeconds(1));
                assertThat(sim.result(handle)).isEqualTo("done");
                assertThat(sim.count("long w"))
                        .as("executions after an outage of " + away)
                        .isEqualTo(1);
            });
        }
    }

    @Test
    void forgedNoticeThatALeaseIsLostChangesNothing() {
        simulate(sim -> {
            Dormouse node = sim.open(longStep(sim));
            Dormouse forger = sim.open(UnaryOperator.identity());
            start(sim, node, "w");
            RunRow row = sim.store().current(0, "w").orElseThrow();
            for (int i = 0; i < 100; i++) {
                sim.forge(forger, new Notice.LeaseLost(row.owner(), row.runId()));
                sim.advance(Duration.ofMillis(i * 7L));
            }
            assertThat(sim.result(node.find("w", String.class).orElseThrow())).isEqualTo("done");
            assertThat(sim.count("long w")).isEqualTo(1);
            assertThat(sim.store().current(0, "w").orElseThrow().status()).isEqualTo(RunStatus.COMPLETED);
        });
    }

    @Test
    void signalFromANodeWithAShorterLeaseTakesNothingFromALivingStep() {
        simulate(sim -> {
            Dormouse node = sim.open(longStep(sim));
            Dormouse hasty = sim.open(builder -> longStep(sim).apply(builder).leasePeriod(Duration.ofSeconds(1)));
            start(sim, node, "w");
            for (int i = 0; i < 20; i++) {
                hasty.find("w", String.class).orElseThrow().signal("hello", "there");
                sim.advance(Duration.ofSeconds(2));
            }
            assertThat(sim.result(node.find("w", String.class).orElseThrow())).isEqualTo("done");
            assertThat(sim.count("long w")).isEqualTo(1);
        });
    }
}
