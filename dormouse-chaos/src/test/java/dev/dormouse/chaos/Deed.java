package dev.dormouse.chaos;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

/**
 * Something that workflow code did, as a line of a {@link Journal}.
 *
 * @param name of the step or the wait
 * @param nanos {@link System#nanoTime()}, which is one clock for all processes of a machine
 * @param at by the wall clock, which on this machine is also the store's
 */
record Deed(Kind kind, String workflowId, UUID runId, String name, long pid, long nanos, Instant at) {

    enum Kind {
        /** The code was entered: a start, a replay, a takeover. */
        ENTERED,
        /** A step began. */
        BEGAN,
        /** A step came to its end. */
        ENDED,
        /** A step was interrupted. */
        INTERRUPTED,
        /** A sleep was over, and not in replay. */
        WOKE,
        /** The code was thrown out. */
        UNWOUND,
        /** The code waits at a named point to be killed. */
        HELD
    }

    static Deed now(Kind kind, String workflowId, UUID runId, String name) {
        return new Deed(
                kind,
                workflowId,
                runId,
                name,
                ProcessHandle.current().pid(),
                System.nanoTime(),
                Instant.now().truncatedTo(ChronoUnit.MICROS));
    }

    StepOfRun step() {
        return new StepOfRun(runId, name);
    }

    String line() {
        return String.join(
                        " ",
                        kind.name(),
                        workflowId,
                        runId.toString(),
                        name,
                        Long.toString(pid),
                        Long.toString(nanos),
                        at.toString())
                + "\n";
    }

    static Deed parse(String line) {
        String[] fields = line.split(" ", -1);
        return new Deed(
                Kind.valueOf(fields[0]),
                fields[1],
                UUID.fromString(fields[2]),
                fields[3],
                Long.parseLong(fields[4]),
                Long.parseLong(fields[5]),
                Instant.parse(fields[6]));
    }
}
