package dev.dormouse.workflow;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowLock;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.support.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Locks between the coroutines and handlers of one run. */
class LockTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void waitingCoroutinesGetTheLockInTheOrderInWhichTheyAsked() {
        Scenario.returnsWhenKilled("[0, 0, 1, 1, 2, 2]", Duration.ofSeconds(4), sim -> (ctx, input) -> {
            WorkflowLock lock = ctx.newLock();
            List<Integer> order = new ArrayList<>();
            List<Promise<Void>> all = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int number = i;
                all.add(ctx.async(() -> lock.run(() -> {
                    order.add(number);
                    ctx.sleep(SECOND);
                    order.add(number);
                })));
            }
            Promise.allOf(all).get();
            return order.toString();
        });
    }

    @Test
    void timedOutAndCancelledCoroutinesDoNotHoldTheLock() {
        Scenario.returns("late=false cancelled=true last=true locked=false", sim -> (ctx, input) -> {
            WorkflowLock lock = ctx.newLock();
            lock.lock();
            Promise<Boolean> late = ctx.async(() -> lock.tryLock(SECOND));
            Promise<Boolean> stopped = ctx.async(() -> {
                try {
                    lock.lock();
                    return false;
                } catch (CancelledException cancelled) {
                    return true;
                }
            });
            Promise<Boolean> last = ctx.async(() -> lock.tryLock(Duration.ofHours(1)));
            boolean isLate = late.get();
            stopped.cancel();
            boolean isCancelled = stopped.get();
            lock.unlock();
            boolean isLast = last.get();
            lock.unlock();
            return "late=" + isLate + " cancelled=" + isCancelled + " last=" + isLast + " locked=" + lock.isLocked();
        });
    }

    @Test
    void lockIsReleasedWhenItsCodeFails() {
        Scenario.returns("boom false", sim -> (ctx, input) -> {
            WorkflowLock lock = ctx.newLock();
            Throwable problem = catchThrowable(() -> lock.run(() -> {
                throw new IllegalStateException("boom");
            }));
            return problem.getMessage() + " " + lock.isLocked();
        });
    }

    @Test
    void badCallsAreRefusedClearly() {
        Scenario.returns("", sim -> (ctx, input) -> {
            WorkflowLock lock = ctx.newLock();
            return new Scenario.BadCalls()
                    .add("unlock of a free lock", lock::unlock)
                    .add("no duration", () -> lock.tryLock(null))
                    .unclear();
        });
        assertClear(catchThrowable(Workflow::newLock), ErrorCode.OUTSIDE_WORKFLOW);
    }

    /** A register whose update needs two steps. */
    @WorkflowInterface
    public interface Register {
        @WorkflowMethod
        String run();

        @UpdateMethod
        int add(int value);
    }

    public static final class RegisterWorkflow implements Register {
        private final WorkflowLock lock = Workflow.newLock();
        private int sum;
        private int calls;

        @Override
        public String run() {
            Workflow.await(() -> calls == 5);
            Workflow.awaitHandlers();
            return String.valueOf(sum);
        }

        @Override
        public int add(int value) {
            calls++;
            int[] result = {0};
            lock.run(() -> {
                int before = sum;
                Workflow.sleep(SECOND); // without the lock, another update would read the same sum
                sum = before + value;
                result[0] = sum;
            });
            return result[0];
        }
    }

    @Test
    void updatesDoNotMixAndTheRunWaitsForItsHandlers() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(Register.class, RegisterWorkflow::new));
            var handle =
                    dormouse.start(() -> dormouse.workflow(Register.class, "r").run());
            for (int i = 1; i <= 5; i++) {
                int value = i;
                sim.inBackground(() -> {
                    int answer = dormouse.workflow(Register.class, "r").add(value);
                    sim.log("answered " + answer);
                });
            }
            assertThat(sim.result(handle)).isEqualTo("15");
            sim.await("all answers", () -> sim.log().size() == 5);
            assertThat(sim.log()).doesNotHaveDuplicates().contains("answered 15");
        });
    }
}
