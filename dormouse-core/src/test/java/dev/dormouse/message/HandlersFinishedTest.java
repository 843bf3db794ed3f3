package dev.dormouse.message;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.SignalMethod;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.UpdateFailedException;
import dev.dormouse.support.CapturedLog;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Workflows that wait for their signal and update handlers before they return, and workflows that do not. */
class HandlersFinishedTest {
    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofMinutes(10);

    @WorkflowInterface
    public interface Till {
        @WorkflowMethod
        String run(Duration patience);

        @UpdateMethod
        String sell(String item, Duration takes);

        @SignalMethod
        void note(String item, Duration takes);

        @SignalMethod
        void close();
    }

    /** Waits for its handlers for the time given by its input. */
    static final class Waiting implements Till {
        private final SimulatedDormouse sim;
        private boolean closed;

        Waiting(SimulatedDormouse sim) {
            this.sim = sim;
        }

        @Override
        public String run(Duration patience) {
            Workflow.await(() -> closed);
            if (patience.isZero()) {
                return "closed";
            }
            return Workflow.await(patience, Workflow::isEveryHandlerFinished) ? "finished" : "gave up";
        }

        @Override
        public String sell(String item, Duration takes) {
            Workflow.sleep(takes);
            return Workflow.step("sell", String.class, () -> "sold " + item);
        }

        @Override
        public void note(String item, Duration takes) {
            Workflow.sleep(takes);
            Workflow.step("note", () -> sim.log("noted " + item));
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private static Dormouse open(SimulatedDormouse sim) {
        return sim.open(node -> node.workflow(Till.class, () -> new Waiting(sim)));
    }

    private static WorkflowHandle<String> start(Dormouse dormouse, Duration patience) {
        Till till = dormouse.workflow(Till.class, "t");
        return dormouse.start(() -> till.run(patience));
    }

    /** Sells in the background; the reference gets the answer or the failure. */
    private static AtomicReference<Object> sell(SimulatedDormouse sim, Dormouse dormouse, Duration takes) {
        AtomicReference<Object> answer = new AtomicReference<>();
        sim.inBackground(() -> {
            Throwable refused = catchThrowable(
                    () -> answer.set(dormouse.workflow(Till.class, "t").sell("tea", takes)));
            if (refused != null) {
                answer.set(refused);
            }
        });
        sim.advance(Duration.ofMillis(500));
        return answer;
    }

    @Test
    void updateAndSignalHandlersAreFinishedBeforeTheRunEnds() {
        for (Duration takes : new Duration[] {SHORT, Duration.ofSeconds(20)}) {
            simulate(sim -> {
                try (CapturedLog logged = new CapturedLog()) {
                    Dormouse dormouse = open(sim);
                    WorkflowHandle<String> handle = start(dormouse, LONG);
                    dormouse.workflow(Till.class, "t").note("milk", takes);
                    AtomicReference<Object> answer = sell(sim, dormouse, takes);
                    dormouse.workflow(Till.class, "t").close();
                    assertThat(sim.result(handle)).isEqualTo("finished");
                    sim.advance(SHORT);
                    assertThat(answer.get()).isEqualTo("sold tea");
                    assertThat(sim.log()).containsExactly("noted milk");
                    assertThat(logged.messages()).isEmpty();
                }
            });
        }
    }

    @Test
    void handlersAreFinishedAlthoughTheNodeDiesWhileTheRunWaitsForThem() {
        for (int moment : new int[] {0, 100, 900, 5_000, 15_000}) {
            simulate(sim -> {
                Dormouse one = open(sim);
                start(one, LONG);
                one.workflow(Till.class, "t").note("milk", Duration.ofSeconds(20));
                one.workflow(Till.class, "t").close();
                sim.advance(Duration.ofMillis(moment));
                sim.kill(one);
                Dormouse two = open(sim);
                assertThat(sim.result(two.find("t", String.class).orElseThrow()))
                        .isEqualTo("finished");
                assertThat(sim.log()).containsExactly("noted milk");
            });
        }
    }

    @Test
    void waitForHandlersHasADeadline() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> handle = start(dormouse, Duration.ofSeconds(30));
            dormouse.workflow(Till.class, "t").note("milk", LONG);
            dormouse.workflow(Till.class, "t").close();
            assertThat(sim.result(handle)).isEqualTo("gave up");
            assertThat(sim.elapsed()).isLessThan(Duration.ofMinutes(1));
        });
    }

    @Test
    void handlersThatAreUnfinishedAtTheEndAreRefusedAndLogged() {
        simulate(sim -> {
            try (CapturedLog logged = new CapturedLog()) {
                Dormouse dormouse = open(sim);
                WorkflowHandle<String> handle = start(dormouse, Duration.ZERO);
                dormouse.workflow(Till.class, "t").note("milk", LONG);
                AtomicReference<Object> answer = sell(sim, dormouse, LONG);
                dormouse.workflow(Till.class, "t").close();
                assertThat(sim.result(handle)).isEqualTo("closed");
                sim.advance(SHORT);
                assertThat(answer.get()).isInstanceOf(UpdateFailedException.class);
                assertThat(((Throwable) answer.get()).getMessage()).contains("Workflow.awaitHandlers()");
                assertThat(logged.about("2 of its signal and update handlers")).hasSize(1);
                assertThat(logged.messages()).hasSize(1);
            }
        });
    }

    @Test
    void callOutsideOfWorkflowCodeIsRefused() {
        assertClear(catchThrowable(Workflow::isEveryHandlerFinished), ErrorCode.OUTSIDE_WORKFLOW);
    }
}
