package dev.dormouse.workflow;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.CancellationScope;
import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.UpdatableTimer;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.error.CancelledException;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random programs of waits on nodes that die at random; their results do not depend on timing. */
class WaitingFuzzTest {
    private static final int PROGRAMS = Integer.getInteger("programs", 25);

    /** Runs a random program; the same random numbers give the same text. */
    private static String run(SimulatedDormouse sim, WorkflowContext ctx, Random random, int depth, String path) {
        StringBuilder text = new StringBuilder("(");
        int length = 1 + random.nextInt(3);
        for (int i = 0; i < length; i++) {
            text.append(operation(sim, ctx, random, depth, path + "." + i)).append(' ');
        }
        return text.append(')').toString();
    }

    private static Duration some(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> Duration.ofMillis(random.nextInt(50));
            case 1 -> Duration.ofMillis(random.nextInt(5_000));
            case 2 -> Duration.ofSeconds(6 + random.nextInt(30));
            default -> Duration.ZERO;
        };
    }

    private static String operation(SimulatedDormouse sim, WorkflowContext ctx, Random random, int depth, String path) {
        Duration nap = some(random);
        switch (random.nextInt(depth == 0 ? 6 : 10)) {
            case 0:
                ctx.sleep(nap);
                return "z";
            case 1:
                return ctx.step("s" + path, String.class, () -> {
                    sim.advance(nap.dividedBy(2));
                    return "s";
                });
            case 2:
                ctx.newTimer(nap).get();
                return "t";
            case 3:
                return String.valueOf(ctx.await(nap, () -> false));
            case 4:
                Promise<Void> never = ctx.newTimer(Duration.ofDays(9));
                never.cancel();
                return "n" + never.isDone();
            case 5:
                return updatable(ctx, nap);
            case 6:
                List<Promise<String>> all = new ArrayList<>();
                int width = 1 + random.nextInt(4);
                for (int i = 0; i < width; i++) {
                    Random own = new Random(random.nextLong());
                    String branch = path + i;
                    all.add(ctx.async(() -> run(sim, ctx, own, depth - 1, branch)));
                }
                return Promise.allOf(all).get().toString();
            case 7:
                return cancelled(ctx, random, nap);
            case 8:
                return "c"
                        + ctx.child("echo", "c" + path, ChildOptions.DEFAULT, String.class, "x")
                                .get();
            default:
                Random own = new Random(random.nextLong());
                Promise<String> one = ctx.async(() -> run(sim, ctx, own, depth - 1, path + "a"));
                return one.then(x -> "then" + x).get();
        }
    }

    private static String updatable(WorkflowContext ctx, Duration nap) {
        UpdatableTimer timer = ctx.newUpdatableTimer();
        Instant end = ctx.now().plusSeconds(400);
        Promise<String> moves = ctx.async(() -> {
            timer.updateWakeUpTime(end.plusSeconds(5));
            timer.updateWakeUpTime(ctx.now().plus(nap));
            return "";
        });
        boolean met = timer.await(end, () -> false);
        moves.get();
        return "u" + met + timer.changes().size();
    }

    private static String cancelled(WorkflowContext ctx, Random random, Duration nap) {
        boolean swallow = random.nextBoolean();
        String[] text = {""};
        CancellationScope scope = ctx.newCancellationScope(() -> {
            try {
                ctx.async(() -> {
                            ctx.sleep(Duration.ofDays(3));
                            return "";
                        })
                        .get();
            } catch (CancelledException cancelled) {
                text[0] += "x";
                ctx.newDetachedCancellationScope(() -> ctx.sleep(nap)).run();
                if (!swallow) {
                    throw cancelled;
                }
            }
        });
        Promise<String> runs = ctx.async(() -> {
            try {
                scope.run();
                return "swallowed";
            } catch (CancelledException cancelled) {
                return "thrown";
            }
        });
        ctx.sleep(nap);
        scope.cancel();
        return runs.get() + text[0];
    }

    @Test
    void resultIsTheSameHoweverOftenNodesDie() {
        for (int i = 0; i < PROGRAMS; i++) {
            long seed = 7_000L + i;
            String[] expected = {null};
            simulate(sim -> {
                WorkflowFunction<String, String> program = (ctx, input) -> run(sim, ctx, new Random(seed), 3, "");
                String result = sim.result(Scenario.start(Scenario.open(sim, program)));
                assertThat(expected[0]).as("program " + seed).isIn(null, result);
                expected[0] = result;
            });
            Random fate = new Random(seed);
            simulate(sim -> {
                WorkflowFunction<String, String> program = (ctx, input) -> run(sim, ctx, new Random(seed), 3, "");
                Dormouse node = Scenario.open(sim, program);
                Scenario.start(node);
                for (int kill = 0; kill < 4; kill++) {
                    sim.advance(Duration.ofMillis(fate.nextInt(fate.nextBoolean() ? 40 : 20_000)));
                    sim.kill(node);
                    node = sim.open(fresh -> Scenario.with(fresh, program)
                            .maxParkTime(fate.nextBoolean() ? Duration.ZERO : Duration.ofSeconds(5)));
                }
                assertThat(sim.result(node.find("w", String.class).orElseThrow()))
                        .as("program " + seed)
                        .isEqualTo(expected[0]);
            });
        }
    }
}
