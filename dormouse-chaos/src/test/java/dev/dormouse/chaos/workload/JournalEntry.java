package dev.dormouse.chaos.workload;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

/**
 * An action of workflow code, as a line of a {@link WorkerJournal}.
 *
 * @param name the name of the step or the wait
 * @param nanos {@link System#nanoTime()}, which is one clock for all processes of a machine
 * @param at wall-clock time, which on this machine is also the store's
 */
public record JournalEntry(Kind kind, String workflowId, UUID runId, String name, long pid, long nanos, Instant at) {

    public enum Kind {
        /** The code was entered: by a start, a replay or a takeover. */
        ENTERED,
        /** A step began. */
        BEGAN,
        /** A step ended. */
        ENDED,
        /** A step was interrupted. */
        INTERRUPTED,
        /** A sleep ended, not during replay. */
        WOKE,
        /** The code was unwound by an Error. */
        UNWOUND,
        /** The code waits at a breakpoint to be killed. */
        HELD
    }

    public static JournalEntry now(Kind kind, String workflowId, UUID runId, String name) {
        return new JournalEntry(
                kind,
                workflowId,
                runId,
                name,
                ProcessHandle.current().pid(),
                System.nanoTime(),
                Instant.now().truncatedTo(ChronoUnit.MICROS));
    }

    public RunStep step() {
        return new RunStep(runId, name);
    }

    public String line() {
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

    public static JournalEntry parse(String line) {
        String[] fields = line.split(" ", -1);
        return new JournalEntry(
                Kind.valueOf(fields[0]),
                fields[1],
                UUID.fromString(fields[2]),
                fields[3],
                Long.parseLong(fields[4]),
                Long.parseLong(fields[5]),
                Instant.parse(fields[6]));
    }
}
