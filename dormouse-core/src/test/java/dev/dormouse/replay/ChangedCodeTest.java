package dev.dormouse.replay;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.ListOptions;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Orders;
import dev.dormouse.support.SimulatedDormouse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Code that does not match a history: the run is stuck, the error names the line, and the right code resumes it. */
class ChangedCodeTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private interface Build extends Function<Orders, WorkflowFunction<String, String>> {}

    private static Dormouse open(SimulatedDormouse sim, String name, Build build) {
        Orders orders = new Orders(sim::log);
        return sim.open(node -> SimulatedDormouse.echo(node)
                .buildId(name)
                .workflow("order", String.class, String.class, build.apply(orders)));
    }

    /** Runs the original code into its first sleep, then deploys the change. */
    private static void changed(Build change, String recorded, String instead, String line) {
        simulate(sim -> {
            Dormouse old = open(sim, "old", Orders::original);
            old.start("order", "o", String.class, "");
            sim.advance(HOUR.dividedBy(2));
            old.close();
            Dormouse changed = open(sim, "changed", change);
            WorkflowHandle<String> neighbor = changed.start("echo", "neighbor", String.class, "unharmed");
            WorkflowHandle<String> handle = changed.find("o", String.class).orElseThrow();
            sim.awaitStatus(handle, RunStatus.STUCK);
            String trouble = handle.describe().trouble();
            assertClear(trouble, ErrorCode.CODE_DOES_NOT_MATCH);
            assertThat(trouble).contains(recorded).contains(instead).contains("Orders.java:" + lineOf(line));
            assertThat(sim.log()).containsExactly("reserve", "charge");
            assertThat(sim.result(neighbor)).isEqualTo("unharmed");

            Dormouse right = open(sim, "right", Orders::original);
            assertThat(sim.result(right.find("o", String.class).orElseThrow())).isEqualTo("original");
            assertThat(sim.log()).containsExactly("reserve", "charge", "ship");
            sim.assertStillWorks(changed);
        });
    }

    /** Returns the line number of a mark in {@link Orders}. */
    private static int lineOf(String mark) {
        try {
            List<String> lines = Files.readAllLines(Path.of("src/test/java/dev/dormouse/support/Orders.java"));
            for (int i = 0; i < lines.size(); i++) {
                if (lines.get(i).endsWith("// " + mark)) {
                    return i + 1;
                }
            }
            throw new AssertionError("Expected a line marked with " + mark + ", but there is none.");
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    @Test
    void removedFirstStepIsDetected() {
        changed(Orders::withoutReserve, "step 'reserve' completed", "step 'charge'", "Orders.withoutReserve");
    }

    @Test
    void removedStepIsDetected() {
        changed(Orders::withoutCharge, "step 'charge' completed", "sleep", "Orders.withoutCharge");
    }

    @Test
    void swappedStepsAreDetected() {
        changed(Orders::swapped, "step 'reserve' completed", "step 'charge'", "Orders.swapped");
    }

    @Test
    void renamedStepIsDetected() {
        changed(Orders::renamed, "step 'charge' completed", "step 'bill'", "Orders.renamed");
    }

    @Test
    void stepInsteadOfASleepIsDetected() {
        changed(Orders::stepInsteadOfSleep, "timer set to", "step 'wait'", "Orders.stepInsteadOfSleep");
    }

    @Test
    void sleepInsteadOfAStepIsDetected() {
        changed(Orders::sleepInsteadOfStep, "step 'charge' completed", "sleep", "Orders.sleepInsteadOfStep");
    }

    @Test
    void addedStepIsDetected() {
        changed(Orders::added, "timer set to", "step 'insure'", "Orders.added");
    }

    @Test
    void codeThatSwallowsItsStopIsStoppedAllTheSame() {
        simulate(sim -> {
            Dormouse old = open(sim, "old", Orders::original);
            old.start("order", "o", String.class, "");
            sim.advance(HOUR.dividedBy(2));
            old.close();
            Dormouse changed = open(sim, "changed", Orders::deaf);
            WorkflowHandle<String> handle = changed.find("o", String.class).orElseThrow();
            sim.awaitStatus(handle, RunStatus.STUCK);
            assertThat(handle.describe().trouble())
                    .contains("step 'reserve' completed")
                    .contains("Orders.java:" + lineOf("Orders.deaf"));
            assertThat(sim.log()).filteredOn(line -> !line.equals("swallowed")).containsExactly("reserve", "charge");
            Dormouse right = open(sim, "right", Orders::original);
            assertThat(sim.result(right.find("o", String.class).orElseThrow())).isEqualTo("original");
        });
    }

    /** Code that returns although more events are recorded. */
    private static void endsTooSoon(Build change) {
        simulate(sim -> {
            Dormouse old = open(sim, "old", Orders::original);
            old.start("order", "o", String.class, "");
            sim.advance(HOUR.dividedBy(2));
            old.close();
            Dormouse changed = open(sim, "changed", change);
            WorkflowHandle<String> handle = changed.find("o", String.class).orElseThrow();
            sim.awaitStatus(handle, RunStatus.STUCK);
            assertClear(handle.describe().trouble(), ErrorCode.CODE_DOES_NOT_MATCH);
            assertThat(handle.describe().trouble()).contains("timer set to");
            Dormouse right = open(sim, "right", Orders::original);
            assertThat(sim.result(right.find("o", String.class).orElseThrow())).isEqualTo("original");
        });
    }

    @Test
    void codeThatReturnsTooSoonIsDetected() {
        endsTooSoon(Orders::shortened);
    }

    @Test
    void codeThatThrowsWhereItSleptIsDetected() {
        endsTooSoon(Orders::throwing);
    }

    @Test
    void resultThatCannotBeReadAsItsNewTypeParksTheRunAndDoesNotFailIt() {
        simulate(sim -> {
            WorkflowFunction<String, String> before = (ctx, input) -> {
                String id = ctx.step("id", String.class, () -> "order-7");
                ctx.sleep(HOUR);
                return id;
            };
            WorkflowFunction<String, String> after = (ctx, input) -> {
                Integer id = ctx.step("id", Integer.class, () -> 7);
                ctx.sleep(HOUR);
                return id + "";
            };
            Dormouse old = sim.open(node -> node.buildId("old").workflow("w", String.class, String.class, before));
            old.start("w", "w", String.class, "");
            sim.advance(HOUR.dividedBy(2));
            old.close();
            Dormouse changed = sim.open(node -> node.buildId("new").workflow("w", String.class, String.class, after));
            WorkflowHandle<String> handle = changed.find("w", String.class).orElseThrow();
            sim.advance(HOUR.multipliedBy(2));
            assertThat(handle.describe().status()).isEqualTo(RunStatus.STUCK);
            assertThat(handle.describe().trouble()).contains("Expected").contains("java.lang.Integer");
            Dormouse right = sim.open(node -> node.buildId("old").workflow("w", String.class, String.class, before));
            assertThat(sim.result(right.find("w", String.class).orElseThrow())).isEqualTo("order-7");
        });
    }

    @Test
    void lastResultThatCannotBeReadAsItsNewTypeParksTheRunAndDoesNotFailIt() {
        simulate(sim -> {
            WorkflowFunction<String, String> before = (ctx, input) -> {
                String id = ctx.step("id", String.class, () -> "order-7");
                ctx.step("slow", () -> sim.advance(HOUR));
                return id;
            };
            Dormouse old = sim.open(node -> node.buildId("old").workflow("w", String.class, String.class, before));
            old.start("w", "w", String.class, "");
            sim.advance(MINUTE);
            sim.kill(old);
            Dormouse changed =
                    sim.open(node -> node.buildId("new").workflow("w", String.class, String.class, (ctx, in) -> {
                        Integer id = ctx.step("id", Integer.class, () -> 7);
                        ctx.step("slow", () -> sim.advance(HOUR));
                        return id + "";
                    }));
            WorkflowHandle<String> handle = changed.find("w", String.class).orElseThrow();
            sim.advance(HOUR.multipliedBy(2));
            assertThat(handle.describe().status()).isEqualTo(RunStatus.STUCK);
            Dormouse right = sim.open(node -> node.buildId("old").workflow("w", String.class, String.class, before));
            assertThat(sim.result(right.find("w", String.class).orElseThrow())).isEqualTo("order-7");
        });
    }

    @Test
    void inputThatCannotBeReadAsItsNewTypeParksARunThatIsOnItsWayAndDoesNotFailIt() {
        simulate(sim -> {
            WorkflowFunction<String, String> before = (ctx, input) -> {
                ctx.step("note", () -> sim.log("note"));
                ctx.sleep(HOUR);
                return input;
            };
            Dormouse old = sim.open(node -> node.buildId("old").workflow("w", String.class, String.class, before));
            old.start("w", "w", String.class, "ada");
            sim.advance(HOUR.dividedBy(2));
            old.close();
            Dormouse changed =
                    sim.open(node -> node.buildId("new").workflow("w", Long.class, String.class, (ctx, n) -> {
                        ctx.step("note", () -> sim.log("note"));
                        ctx.sleep(HOUR);
                        return "" + n;
                    }));
            WorkflowHandle<String> handle = changed.find("w", String.class).orElseThrow();
            sim.advance(HOUR.multipliedBy(2));
            assertThat(handle.describe().status()).isEqualTo(RunStatus.STUCK);
            Dormouse right = sim.open(node -> node.buildId("old").workflow("w", String.class, String.class, before));
            assertThat(sim.result(right.find("w", String.class).orElseThrow())).isEqualTo("ada");
        });
    }

    @Test
    void stuckRunIsTriedAgainAndAgainButNotTooOften() {
        simulate(sim -> {
            Dormouse old = open(sim, "old", Orders::original);
            old.start("order", "o", String.class, "");
            sim.advance(HOUR.dividedBy(2));
            old.close();
            int[] tried = {0};
            Dormouse changed = sim.open(node -> node.workflow("order", String.class, String.class, (ctx, input) -> {
                tried[0]++;
                ctx.step("another", () -> sim.log("never"));
                return "";
            }));
            WorkflowHandle<String> handle = changed.find("o", String.class).orElseThrow();
            sim.awaitStatus(handle, RunStatus.STUCK);
            assertThat(handle.describe().wakeAt()).isPresent();
            sim.advance(HOUR.multipliedBy(48));
            assertThat(tried[0]).isBetween(40, 120);
            assertThat(sim.log()).doesNotContain("never");
        });
    }

    @Test
    void runStuckOnItsOnlyNodeContinuesSoonAfterTheRightCodeOpens() {
        simulate(sim -> {
            Dormouse old = open(sim, "old", Orders::original);
            old.start("order", "o", String.class, "");
            sim.advance(HOUR.dividedBy(2));
            old.close();
            Dormouse changed = open(sim, "changed", Orders::swapped);
            WorkflowHandle<String> handle = changed.find("o", String.class).orElseThrow();
            sim.awaitStatus(handle, RunStatus.STUCK);
            changed.close();
            sim.advance(HOUR.multipliedBy(30));
            Dormouse right = open(sim, "right", Orders::original);
            Duration opened = sim.elapsed();
            sim.await("ship", () -> sim.log().contains("ship"));
            assertThat(sim.elapsed().minus(opened)).isLessThan(Duration.ofSeconds(20));
            assertThat(sim.result(right.find("o", String.class).orElseThrow())).isEqualTo("original");
        });
    }

    @Test
    void runsOfTwoLiveBuildsAreHandedOverAndNoneIsEverStuck() {
        simulate(sim -> {
            Dormouse old = open(sim, "old", Orders::original);
            Dormouse changed = open(sim, "changed", Orders::swapped);
            for (int i = 0; i < 10; i++) {
                old.start("order", "old-" + i, String.class, "");
                changed.start("order", "new-" + i, String.class, "");
            }
            boolean[] stuck = {false};
            sim.await("all to be done", () -> {
                List<RunDescription> runs = old.list(ListOptions.ALL).runs();
                stuck[0] |= runs.stream().anyMatch(run -> run.status() == RunStatus.STUCK);
                return runs.size() == 20 && runs.stream().allMatch(run -> run.status() == RunStatus.COMPLETED);
            });
            assertThat(stuck[0]).isFalse();
            for (int i = 0; i < 10; i++) {
                assertThat(sim.result(old.find("old-" + i, String.class).orElseThrow()))
                        .isEqualTo("original");
                assertThat(sim.result(old.find("new-" + i, String.class).orElseThrow()))
                        .isEqualTo("swapped");
            }
            assertThat(sim.elapsed()).isLessThan(HOUR.multipliedBy(2).plus(MINUTE));
            assertThat(sim.count("reserve")).isEqualTo(20);
            assertThat(sim.count("charge")).isEqualTo(20);
            assertThat(sim.count("ship")).isEqualTo(20);
        });
    }

    @Test
    void namesOfBuildsMayBeAnyTextOrAreRefused() {
        for (String name : List.of("release 2030 01", " ", "a  b", "x".repeat(5_000), "~", "\0", "\uD800")) {
            simulate(sim -> {
                try {
                    Dormouse old = open(sim, name + "1", Orders::original);
                    Dormouse changed = open(sim, name + "2", Orders::swapped);
                    old.start("order", "o", String.class, "");
                    sim.advance(MINUTE);
                    sim.kill(old);
                    WorkflowHandle<String> handle =
                            changed.find("o", String.class).orElseThrow();
                    sim.awaitStatus(handle, RunStatus.STUCK);
                    Dormouse again = open(sim, name + "3", Orders::original);
                    assertThat(sim.result(again.find("o", String.class).orElseThrow()))
                            .isEqualTo("original");
                } catch (DormouseException refused) {
                    assertClear(refused, ErrorCode.BAD_SETTING);
                }
            });
        }
    }

    @Test
    void runIsStuckOnlyWhenTheLastNodeThatFitsIsGone() {
        simulate(sim -> {
            Dormouse old = open(sim, "old", Orders::original);
            Dormouse changed = open(sim, "changed", Orders::swapped);
            old.start("order", "o", String.class, "");
            sim.advance(MINUTE);
            sim.kill(old);
            WorkflowHandle<String> handle = changed.find("o", String.class).orElseThrow();
            sim.awaitStatus(handle, RunStatus.STUCK);
            Dormouse again = open(sim, "again", Orders::original);
            assertThat(sim.result(again.find("o", String.class).orElseThrow())).isEqualTo("original");
        });
    }
}
