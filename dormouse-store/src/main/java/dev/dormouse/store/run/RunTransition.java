package dev.dormouse.store.run;

import static dev.dormouse.inspect.RunStatus.CANCELLED;
import static dev.dormouse.inspect.RunStatus.COMPLETED;
import static dev.dormouse.inspect.RunStatus.CONTINUED;
import static dev.dormouse.inspect.RunStatus.FAILED;
import static dev.dormouse.inspect.RunStatus.PARKED;
import static dev.dormouse.inspect.RunStatus.PENDING;
import static dev.dormouse.inspect.RunStatus.RUNNING;
import static dev.dormouse.inspect.RunStatus.STUCK;
import static dev.dormouse.inspect.RunStatus.TERMINATED;
import static dev.dormouse.inspect.RunStatus.TIMED_OUT;
import static dev.dormouse.inspect.RunStatus.WAITING;

import dev.dormouse.inspect.RunStatus;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A change of a run's status. {@link #TABLE} has all that exist. The engine builds no other commit, and a test plays
 * simulated worlds and fails if a transition is not in the table, or is never visited.
 *
 * @param cause the operation that changes the status
 */
public record RunTransition(RunStatus from, RunStatus to, Cause cause) {
    /** The operations that change a run's status. */
    public enum Cause {
        /** A node claims a due run, or takes it over from a dead node. */
        CLAIM,
        /** A queue releases a run that a dead node held. */
        RELEASE,
        /** The node that holds the run's lease commits. */
        COMMIT,
        /** A caller, or another run, changes a run from outside. */
        COMMAND
    }

    /** All transitions. A run starts as PENDING, or as RUNNING on the node that starts it. */
    public static final List<RunTransition> TABLE = table();

    private static final Map<RunStatus, Set<RunStatus>> TARGETS = targets();

    private static List<RunTransition> table() {
        List<RunTransition> all = new ArrayList<>();
        add(all, Cause.CLAIM, PENDING, RUNNING);
        add(all, Cause.CLAIM, WAITING, RUNNING);
        add(all, Cause.CLAIM, PARKED, RUNNING);
        add(all, Cause.CLAIM, STUCK, RUNNING);
        add(all, Cause.RELEASE, RUNNING, PENDING);
        add(all, Cause.COMMIT, RUNNING, PARKED, WAITING, PENDING, STUCK);
        add(all, Cause.COMMIT, RUNNING, COMPLETED, FAILED, TIMED_OUT, CANCELLED, CONTINUED);
        add(all, Cause.COMMIT, PARKED, RUNNING, WAITING, PENDING, STUCK);
        add(all, Cause.COMMIT, PARKED, COMPLETED, FAILED, TIMED_OUT, CANCELLED, CONTINUED);
        add(all, Cause.COMMAND, PENDING, TERMINATED, CANCELLED);
        add(all, Cause.COMMAND, RUNNING, TERMINATED);
        add(all, Cause.COMMAND, PARKED, TERMINATED);
        add(all, Cause.COMMAND, WAITING, TERMINATED);
        add(all, Cause.COMMAND, STUCK, TERMINATED);
        return List.copyOf(all);
    }

    private static void add(List<RunTransition> all, Cause cause, RunStatus from, RunStatus... targets) {
        for (RunStatus to : targets) {
            all.add(new RunTransition(from, to, cause));
        }
    }

    private static Map<RunStatus, Set<RunStatus>> targets() {
        Map<RunStatus, Set<RunStatus>> targets = new EnumMap<>(RunStatus.class);
        TABLE.forEach(transition -> targets.computeIfAbsent(transition.from, any -> EnumSet.noneOf(RunStatus.class))
                .add(transition.to));
        return targets;
    }

    /**
     * Checks that a run may change from one status to another. An open run may keep its status.
     *
     * @throws IllegalStateException if the table does not have this transition
     */
    public static void check(RunStatus from, RunStatus to) {
        boolean isKept = from == to && !from.isClosed();
        if (!isKept && !TARGETS.getOrDefault(from, Set.of()).contains(to)) {
            throw new IllegalStateException(
                    "Expected a transition of a run's status that RunTransition declares, but got " + from + " to " + to
                            + ". This is a defect of Dormouse.");
        }
    }
}
