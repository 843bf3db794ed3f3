package dev.dormouse.support;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.ActivityInterface;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.WorkflowException;
import dev.dormouse.error.WorkflowFailedException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Activities that a saga undoes explicitly. Each takes a second and logs its success. */
@ActivityInterface
public interface UndoableActivities {
    /** Fails if {@code what} starts with "bad". */
    String act(String what);

    /** Undoes {@link #act}; fails if {@code what} starts with "bad". */
    void undo(String what);

    static UndoableActivities stub() {
        return Workflow.activities(UndoableActivities.class);
    }

    /** Throws {@link Refused} if {@code what} starts with "bad". */
    static void failIfBad(String what) {
        if (what.startsWith("bad")) {
            throw new Refused(what);
        }
    }

    /** The failure of an activity that never succeeds. */
    final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public Refused(String what) {
            super("no " + what);
        }
    }

    record Real(SimulatedDormouse sim) implements UndoableActivities {
        @Override
        public String act(String what) {
            work("act ", what);
            return "did " + what;
        }

        @Override
        public void undo(String what) {
            work("undo ", what);
        }

        private void work(String kind, String what) {
            sim.advance(Duration.ofSeconds(1));
            failIfBad(what);
            sim.log(kind + what);
        }
    }

    /** Opens a node whose workflow "w" executes {@code code} and returns "". */
    static Dormouse open(SimulatedDormouse sim, Consumer<WorkflowContext> code) {
        return sim.open(node -> with(node, sim, code));
    }

    static DormouseBuilder with(DormouseBuilder node, SimulatedDormouse sim, Consumer<WorkflowContext> code) {
        return Scenario.with(node, (ctx, input) -> {
                    code.accept(ctx);
                    return "";
                })
                .activities(UndoableActivities.class, new Real(sim))
                .activities(Bookings.class, new Bookings.Real(sim));
    }

    /** Asserts the log of a run that fails, first without faults and then with its node killed at many moments. */
    static void fails(List<String> log, Duration length, Consumer<WorkflowContext> code) {
        fails(length, code, lines -> assertThat(lines).isEqualTo(log));
    }

    static void fails(Duration length, Consumer<WorkflowContext> code, Consumer<List<String>> check) {
        for (Duration park : List.of(Duration.ofSeconds(5), Duration.ZERO)) {
            simulate(sim -> {
                Dormouse dormouse = sim.open(node -> with(node, sim, code).maxParkTime(park));
                assertRefused(sim.failure(Scenario.start(dormouse)));
                check.accept(sim.log());
                sim.assertStillWorks(dormouse);
            });
        }
        for (Duration moment = Duration.ZERO; moment.compareTo(length) < 0; moment = moment.plusMillis(250)) {
            killed(moment, code, check);
        }
    }

    private static void killed(Duration moment, Consumer<WorkflowContext> code, Consumer<List<String>> check) {
        simulate(sim -> {
            Dormouse one = open(sim, code);
            Scenario.start(one);
            sim.advance(moment);
            sim.kill(one);
            Dormouse two = open(sim, code);
            WorkflowHandle<String> handle = two.find("w", String.class).orElseThrow();
            assertRefused(sim.failure(handle));
            boolean isHalfway =
                    moment.toMillis() % 1_000 == 500; // otherwise an activity may be done, but not yet committed
            check.accept(isHalfway ? sim.log() : sim.log().stream().distinct().toList());
            assertThat(Scenario.kinds(handle).stream().filter("StepCompleted"::equals))
                    .hasSize((int) sim.log().stream().distinct().count());
            sim.assertStillWorks(two);
        });
    }

    static void assertRefused(WorkflowException failure) {
        assertThat(failure).isInstanceOf(WorkflowFailedException.class);
        assertThat(((WorkflowFailedException) failure).failure().toString()).contains(Refused.class.getName());
    }
}
