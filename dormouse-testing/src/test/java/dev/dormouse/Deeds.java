package dev.dormouse;

import static dev.dormouse.SimulatedDormouse.play;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Activities that can be undone: each takes a second, and is in the log when it has worked. */
@ActivityInterface
interface Deeds {
    /** What begins with "bad" fails. */
    String act(String what);

    /** The same. */
    void undo(String what);

    static Deeds stub() {
        return Workflow.activities(Deeds.class);
    }

    /** Fails at once, and for good: the one failure of the tests of sagas. */
    static void failIfBad(String what) {
        if (what.startsWith("bad")) {
            throw new Refused(what);
        }
    }

    /** An activity that will never work. */
    final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Refused(String what) {
            super("no " + what);
        }
    }

    record Real(SimulatedDormouse sim) implements Deeds {
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

    /** Opens a node whose workflow "w" is this code; it ends with "". */
    static Dormouse open(SimulatedDormouse sim, Consumer<WorkflowContext> code) {
        return sim.open(node -> with(node, sim, code));
    }

    static DormouseBuilder with(DormouseBuilder node, SimulatedDormouse sim, Consumer<WorkflowContext> code) {
        return Tale.with(node, (ctx, input) -> {
                    code.accept(ctx);
                    return "";
                })
                .activities(Deeds.class, new Real(sim))
                .activities(Bookings.class, new Bookings.Real(sim));
    }

    /** The log of a run that fails, undisturbed and with its node killed at many moments. */
    static void fails(List<String> log, Duration length, Consumer<WorkflowContext> code) {
        fails(length, code, lines -> assertThat(lines).isEqualTo(log));
    }

    static void fails(Duration length, Consumer<WorkflowContext> code, Consumer<List<String>> check) {
        for (Duration park : List.of(Duration.ofSeconds(5), Duration.ZERO)) {
            play(sim -> {
                Dormouse dormouse = sim.open(node -> with(node, sim, code).parkAtMost(park));
                assertRefused(sim.failure(Tale.start(dormouse)));
                check.accept(sim.log());
                sim.assertStillWorks(dormouse);
            });
        }
        for (Duration moment = Duration.ZERO; moment.compareTo(length) < 0; moment = moment.plusMillis(250)) {
            killed(moment, code, check);
        }
    }

    private static void killed(Duration moment, Consumer<WorkflowContext> code, Consumer<List<String>> check) {
        play(sim -> {
            Dormouse one = open(sim, code);
            Tale.start(one);
            sim.advance(moment);
            sim.kill(one);
            Dormouse two = open(sim, code);
            WorkflowHandle<String> handle = two.find("w", String.class).orElseThrow();
            assertRefused(sim.failure(handle));
            boolean isHalfway = moment.toMillis() % 1_000 == 500; // otherwise a deed may be done, but not yet committed
            check.accept(isHalfway ? sim.log() : sim.log().stream().distinct().toList());
            assertThat(Tale.kinds(handle).stream().filter("StepCompleted"::equals))
                    .hasSize((int) sim.log().stream().distinct().count());
            sim.assertStillWorks(two);
        });
    }

    static void assertRefused(WorkflowException failure) {
        assertThat(failure).isInstanceOf(WorkflowFailed.class);
        assertThat(((WorkflowFailed) failure).failure().toString()).contains(Refused.class.getName());
    }
}
