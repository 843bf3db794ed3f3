package dev.dormouse.chaos.workload;

import java.util.UUID;
import java.util.concurrent.CountDownLatch;

/**
 * Stops a thread of a worker at a named point, where the test finds it and kills the process. One point is armed at a
 * time, for one workflow id, and stops one thread. Thread-safe: the static state is guarded by the class lock, and
 * disarming is atomic.
 */
public final class Breakpoint {
    private static final UUID NO_RUN = new UUID(0, 0);

    private static String armed = "";
    private static String expected = "";

    public enum Point {
        /** Inside the function of a transaction, after its statements. */
        IN_FUNCTION,
        /** After the function, before the database's COMMIT. */
        BEFORE_COMMIT,
        /** After the database's COMMIT, before the engine receives the answer. */
        AFTER_COMMIT,
        /** In the step after the transaction. */
        NEXT_STEP,
        /** In the workflow's code, between two compensations. */
        BETWEEN_UNDOS
    }

    private Breakpoint() {}

    public static synchronized void arm(Point point, String workflowId) {
        armed = point + " " + workflowId;
    }

    public static void at(Point point, String workflowId, WorkerJournal.Writer journal) {
        if (disarm(point + " " + workflowId)) {
            hold(point, workflowId, journal);
        }
    }

    /** Declares that the next commit belongs to the transaction of this workflow id. */
    public static synchronized void expectCommit(String workflowId) {
        expected = workflowId;
    }

    public static void atCommit(Point point, WorkerJournal.Writer journal) {
        String workflowId = expected();
        if (!workflowId.isEmpty()) {
            at(point, workflowId, journal);
        }
    }

    private static synchronized String expected() {
        return expected;
    }

    private static synchronized boolean disarm(String wanted) {
        boolean isArmed = armed.equals(wanted);
        armed = isArmed ? "" : armed;
        return isArmed;
    }

    private static void hold(Point point, String workflowId, WorkerJournal.Writer journal) {
        journal.write(JournalEntry.Kind.HELD, workflowId, NO_RUN, point.name());
        while (true) {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException deaf) {
                // only the end of the process ends this
            }
        }
    }
}
