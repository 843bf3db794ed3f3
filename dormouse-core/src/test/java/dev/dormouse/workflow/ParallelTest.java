package dev.dormouse.workflow;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Bounded parallelism inside of a run. */
class ParallelTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void resultsHaveTheOrderOfTheItems() {
        Scenario.returnsWhenKilled(
                "[30, 10, 20, 10, 0]",
                Duration.ofSeconds(8),
                sim -> (ctx, input) -> ctx.parallel(List.of(3, 1, 2, 1, 0), 2, seconds -> {
                            ctx.sleep(SECOND.multipliedBy(seconds));
                            return ctx.step("times ten", Integer.class, () -> seconds * 10);
                        })
                        .toString());
    }

    @Test
    void atMostTheLimitIsInWork() {
        Scenario.returns("4", sim -> (ctx, input) -> {
            int[] now = {0, 0};
            ctx.parallel(IntStream.range(0, 50).boxed().toList(), 4, item -> {
                now[0]++;
                now[1] = Math.max(now[1], now[0]);
                ctx.sleep(Duration.ofMillis(100 + item % 7));
                now[0]--;
                return item;
            });
            return String.valueOf(now[1]);
        });
    }

    @Test
    void tenThousandItemsNeedOnlyAFewThreads() {
        simulate(sim -> {
            AtomicInteger most = new AtomicInteger();
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                List<Integer> items = IntStream.range(0, 10_000).boxed().toList();
                return String.valueOf(ctx
                        .parallel(items, 8, item -> {
                            if (item % 1_000 == 0) {
                                ctx.sleep(Duration.ofMillis(1));
                                most.accumulateAndGet(Math.toIntExact(sim.threads("async")), Math::max);
                            }
                            return item;
                        })
                        .stream()
                        .mapToInt(Integer::intValue)
                        .sum());
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo(String.valueOf(9_999 * 10_000 / 2));
            assertThat(most.get()).isBetween(1, 8);
        });
    }

    @Test
    void failureCancelsTheOthersAndIsThrown() {
        Scenario.returns("boom after [0, 1], cancelled [0]", sim -> (ctx, input) -> {
            List<Integer> begun = new ArrayList<>();
            List<Integer> cancelled = new ArrayList<>();
            Throwable problem = catchThrowable(() -> ctx.parallel(List.of(0, 1, 2, 3), 2, item -> {
                begun.add(item);
                try {
                    ctx.sleep(item == 0 ? Duration.ofHours(1) : SECOND);
                } catch (CancelledException stopped) {
                    cancelled.add(item);
                    throw stopped;
                }
                throw new IllegalStateException("boom");
            }));
            return problem.getMessage() + " after " + begun + ", cancelled " + cancelled;
        });
    }

    @Test
    void cancelledRunEndsAsCancelled() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.parallel(List.of(1, 2, 3), 2, item -> {
                                ctx.sleep(Duration.ofHours(1));
                                return item;
                            })
                            .toString());
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(SECOND);
            handle.cancel("enough");
            sim.awaitStatus(handle, RunStatus.CANCELLED);
        });
    }

    @Test
    void nothingAndNullAreItemsLikeAnyOther() {
        Scenario.returns("[] [null]", sim -> (ctx, input) -> {
            List<String> none = ctx.parallel(List.<String>of(), 3, item -> item);
            List<String> one = ctx.parallel(Collections.singletonList((String) null), 100, item -> item);
            return none + " " + one;
        });
    }

    @Test
    void badCallsAreRefusedClearly() {
        Scenario.returns(
                "",
                sim -> (ctx, input) -> new Scenario.BadCalls()
                        .add("no limit", () -> ctx.parallel(List.of(1), 0, item -> item))
                        .add("negative limit", () -> ctx.parallel(List.of(1), -1, item -> item))
                        .add("no items", () -> ctx.parallel(null, 1, item -> item))
                        .add("no body", () -> ctx.parallel(Arrays.asList(1), 1, null))
                        .add("no runnable", () -> ctx.async((Runnable) null))
                        .unclear());
        assertClear(catchThrowable(() -> Workflow.parallel(List.of(1), 1, item -> item)), ErrorCode.OUTSIDE_WORKFLOW);
    }

    @Test
    void coroutineWithoutAResultIsAPromise() {
        Scenario.returns("null work", sim -> (ctx, input) -> {
            StringBuilder text = new StringBuilder();
            Object result = ctx.async(() -> {
                        ctx.sleep(SECOND);
                        text.append(" work");
                    })
                    .get();
            return result + text.toString();
        });
    }

    @Test
    void failureOfACoroutineWithoutAResultIsThrownByGet() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.async(() -> {
                            ctx.sleep(SECOND);
                            throw new IllegalStateException("boom");
                        })
                        .get();
                return "";
            });
            assertThat(sim.failure(Scenario.start(dormouse))).hasMessageContaining("boom");
        });
    }
}
