package dev.dormouse.recovery;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.StartOptions;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.timer.TimerId;
import dev.dormouse.timer.TimerStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Crash loops: only the run that kills its nodes is blamed. */
class CrashLoopTest {
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Nodes whose runs take a given time, and the number of times that each run has begun. */
    private static final class Cluster {
        private final SimulatedDormouse sim;
        private final List<Dormouse> nodes = new ArrayList<>();
        private final Duration step;

        Cluster(SimulatedDormouse sim, Duration step) {
            this.sim = sim;
            this.step = step;
        }

        Dormouse open() {
            Dormouse node = sim.open(builder -> Scenario.with(builder, (ctx, input) -> {
                        ctx.step("work", () -> work(input));
                        return "done";
                    })
                    .maxExecuting(1_000));
            node.timers().handle("ring", String.class, this::work);
            nodes.add(node);
            return node;
        }

        private void work(String name) {
            sim.log(name);
            if (name.startsWith("deadly")) {
                sim.kill(current());
            }
            sim.advance(step);
        }

        /** The node that has started last: these scenarios have one node at a time. */
        private Dormouse current() {
            return nodes.get(nodes.size() - 1);
        }

        void start(String prefix, int count) {
            for (int i = 0; i < count; i++) {
                current().start("w", prefix + i, String.class, prefix + i);
            }
        }

        List<RunStatus> statuses(String prefix, int count) {
            return IntStream.range(0, count)
                    .mapToObj(i -> current()
                            .find(prefix + i, String.class)
                            .orElseThrow()
                            .describe()
                            .status())
                    .toList();
        }
    }

    private static Duration timeUntil(SimulatedDormouse sim, BooleanSupplier condition) {
        Duration before = sim.elapsed();
        sim.await("all to be done", condition);
        return sim.elapsed().minus(before);
    }

    private static boolean areAll(List<RunStatus> statuses, RunStatus expected) {
        return statuses.stream().allMatch(expected::equals);
    }

    @Test
    void runsAndTimersBesideANodeThatDiesAsSoonAsItHasOpenedEndWithinALease() {
        simulate(sim -> {
            Cluster cluster = new Cluster(sim, Duration.ofMillis(50));
            cluster.open();
            cluster.start("run-", 60);
            List<TimerId> timers = IntStream.range(0, 60)
                    .mapToObj(i -> cluster.current().timers().after(SECOND, "ring", "timer-" + i))
                    .toList();
            sim.kill(cluster.current());
            for (int i = 0; i < 20; i++) {
                cluster.open();
                sim.advance(Duration.ofMillis(20));
                sim.kill(cluster.current());
                sim.advance(i % 4 == 3 ? LEASE : SECOND);
            }
            Dormouse healthy = cluster.open();
            Duration took = timeUntil(
                    sim,
                    () -> areAll(cluster.statuses("run-", 60), RunStatus.COMPLETED)
                            && timers.stream()
                                    .allMatch(id -> healthy.timers()
                                                    .get(id)
                                                    .orElseThrow()
                                                    .status()
                                            == TimerStatus.FIRED));
            assertThat(took).isLessThan(LEASE.plusSeconds(3));
        });
    }

    @Test
    void longStepsExecuteAgainTogetherAfterTwoDeaths() {
        simulate(sim -> {
            Cluster cluster = new Cluster(sim, Duration.ofMinutes(1));
            cluster.open();
            cluster.start("run-", 120);
            for (int death = 1; death <= 2; death++) {
                long begun = death * 120L;
                sim.await("all to execute", () -> sim.log().size() == begun);
                sim.advance(death == 1 ? Duration.ZERO : Duration.ofSeconds(12));
                sim.kill(cluster.current());
                cluster.open();
            }
            Duration took = timeUntil(sim, () -> sim.log().size() == 360);
            assertThat(took).isLessThan(LEASE.plusSeconds(2));
        });
    }

    /** The node dies again when all runs have restarted: they are on probation, half of them at a time. */
    @Test
    void longStepsExecuteAgainWithinTwoLeasesAfterADeathOnProbation() {
        simulate(sim -> {
            Cluster cluster = new Cluster(sim, Duration.ofMinutes(5));
            cluster.open();
            cluster.start("run-", 600);
            for (int death = 1; death <= 2; death++) {
                long begun = death * 600L;
                sim.await("all to execute", () -> sim.log().size() == begun);
                sim.kill(cluster.current());
                cluster.open();
            }
            Duration took = timeUntil(sim, () -> sim.log().size() == 1_800);
            assertThat(took).isLessThan(LEASE.multipliedBy(2));
        });
    }

    @Test
    void onlyTheRunThatKillsItsNodeIsStuckAndTheOthersEnd() {
        simulate(sim -> {
            Cluster cluster = new Cluster(sim, Duration.ofSeconds(8));
            cluster.open();
            cluster.start("run-", 80);
            cluster.start("deadly-", 1);
            for (int i = 0; i < 40; i++) {
                sim.advance(Duration.ofSeconds(10));
                if (sim.count("deadly-0") == cluster.nodes.size()) {
                    cluster.open();
                }
            }
            assertThat(cluster.statuses("run-", 80)).containsOnly(RunStatus.COMPLETED);
            RunDescription deadly = cluster.current()
                    .find("deadly-0", String.class)
                    .orElseThrow()
                    .describe();
            assertThat(deadly.status()).isEqualTo(RunStatus.STUCK);
            assertThat(deadly.trouble()).contains(ErrorCode.TOO_MANY_TAKEOVERS.label());
            assertThat(sim.count("deadly-0")).isBetween(6L, 8L);
        });
    }

    @Test
    void runThatKillsItsNodeIsTriedAgainLaterAndLater() {
        simulate(sim -> {
            Cluster cluster = new Cluster(sim, SECOND);
            cluster.open();
            cluster.start("deadly-", 1);
            Duration start = sim.elapsed();
            while (sim.elapsed().minus(start).compareTo(Duration.ofDays(1)) < 0) {
                sim.advance(SECOND);
                if (sim.count("deadly-0") == cluster.nodes.size()) {
                    cluster.open();
                }
            }
            assertThat(sim.count("deadly-0")).isBetween(24L, 40L);
        });
    }

    @Test
    void pausesThatAreLongerThanTheLeaseMakeNothingStuck() {
        simulate(sim -> {
            Cluster cluster = new Cluster(sim, Duration.ofMinutes(20));
            Dormouse one = cluster.open();
            Dormouse two = cluster.open();
            cluster.start("run-", 30);
            Set<RunStatus> seen = new HashSet<>();
            for (int i = 0; i < 6; i++) {
                for (Dormouse node : List.of(one, two)) {
                    sim.pause(node);
                    sim.advance(LEASE.multipliedBy(5).dividedBy(2));
                    sim.resume(node);
                    sim.advance(Duration.ofSeconds(3));
                    seen.addAll(cluster.statuses("run-", 30));
                }
            }
            assertThat(seen).doesNotContain(RunStatus.STUCK);
            sim.await("all to end", () -> areAll(cluster.statuses("run-", 30), RunStatus.COMPLETED));
        });
    }

    @Test
    void runThatKillsItsNodeClosesWhenItsTimeIsUp() {
        simulate(sim -> {
            Cluster cluster = new Cluster(sim, SECOND);
            cluster.open();
            StartOptions timed = StartOptions.DEFAULT.withExecutionTimeout(Duration.ofHours(3));
            cluster.current().start("w", "deadly-0", timed, String.class, "deadly-0");
            Duration start = sim.elapsed();
            while (sim.elapsed().minus(start).compareTo(Duration.ofHours(3).plusMinutes(1)) < 0) {
                sim.advance(SECOND);
                if (sim.count("deadly-0") == cluster.nodes.size()) {
                    cluster.open();
                }
            }
            assertThat(cluster.statuses("deadly-", 1)).containsOnly(RunStatus.TIMED_OUT);
        });
    }
}
