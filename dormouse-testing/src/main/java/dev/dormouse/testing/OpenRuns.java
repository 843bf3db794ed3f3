package dev.dormouse.testing;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.run.Lanes;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.testing.memory.MemoryStore;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The open runs of a test while all its code waits. Finds out if any of them can make progress without the test, and
 * describes what they wait for.
 */
final class OpenRuns {
    private static final int SHOWN = 20;
    private static final Set<RunStatus> OPEN = EnumSet.copyOf(EnumSet.allOf(RunStatus.class).stream()
            .filter(status -> !status.isClosed())
            .toList());

    private final MemoryStore store;

    OpenRuns(MemoryStore store) {
        this.store = store;
    }

    /**
     * Returns true if the passing of time alone makes some run progress. Runs that wait for messages do not, nor do
     * stuck runs, whose retries fail.
     */
    boolean anyGoesOn() {
        Set<String> served = served();
        return store.anyRun(run -> goesOn(run) && Lanes.isServed(served, run.lane()));
    }

    private static boolean goesOn(RunRow run) {
        return run.wakeAt() != null && run.lease() == RunRow.NO_LEASE && run.status() != RunStatus.STUCK;
    }

    /** Returns what the live nodes can execute, as {@link Lanes#isServed} reads it. */
    private Set<String> served() {
        return store.nodes(0).stream().flatMap(node -> node.lanes().stream()).collect(Collectors.toSet());
    }

    private List<RunRow> all() {
        return store.list(0, new RunFilter(null, null, OPEN), Optional.empty(), Integer.MAX_VALUE - 1)
                .runs();
    }

    RuntimeException noneGoesOn() {
        List<RunRow> runs = all();
        String shown = runs.stream().limit(SHOWN).map(this::describe).collect(Collectors.joining());
        return new DormouseException(
                ErrorCode.NOTHING_GOES_ON,
                "Expected the test's wait to end at some time, but nothing can happen any more: "
                        + (runs.isEmpty() ? "no run is open." : "no open run can continue by itself.") + shown
                        + (runs.size() > SHOWN ? "\n  and " + (runs.size() - SHOWN) + " more" : "")
                        + "\nSend what the runs wait for before you wait for their results, or wait with a limit: "
                        + "result(Duration).");
    }

    private String describe(RunRow run) {
        return "\n  '" + run.workflowId() + "' of type '" + run.type() + "' (" + run.status() + ", run " + run.runId()
                + ") " + state(run);
    }

    private String state(RunRow run) {
        if (run.status() == RunStatus.STUCK) {
            return "is stuck: " + run.trouble();
        } else if (!Lanes.isServed(served(), run.lane())) {
            return "is of a type that is not registered: add it to the builder";
        } else if (run.lease() != RunRow.NO_LEASE) {
            return "is in a step, or in code, that waits for something that will never happen";
        }
        return run.wakeAt() == null
                ? "waits for a signal, an update or a child, and for no time"
                : "waits until " + run.wakeAt() + ", which a test does not live to see";
    }
}
