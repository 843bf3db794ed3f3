package dev.dormouse.chaos;

import java.util.UUID;
import java.util.concurrent.CountDownLatch;

/**
 * Holds a thread of a worker at a named point, where the test finds it and kills the process. One point is armed at a
 * time, for one workflow id, and holds once.
 */
final class Hold {
    private static final UUID NO_RUN = new UUID(0, 0);

    private static String armed = "";
    private static String expected = "";

    enum Point {
        /** In the function of a transaction, after its statements. */
        IN_FUNCTION,
        /** After the function, before the database's COMMIT. */
        BEFORE_COMMIT,
        /** After the database's COMMIT, before the engine hears of it. */
        AFTER_COMMIT,
        /** In the step after the transaction. */
        NEXT_STEP,
        /** In the workflow's code, after one compensation and before the next. */
        BETWEEN_UNDOS
    }

    private Hold() {}

    static synchronized void arm(Point point, String workflowId) {
        armed = point + " " + workflowId;
    }

    static void at(Point point, String workflowId, Journal.Writer journal) {
        if (disarm(point + " " + workflowId)) {
            hold(point, workflowId, journal);
        }
    }

    /** What is armed for the commit of this workflow id's transaction holds the next one that there is. */
    static synchronized void expectCommit(String workflowId) {
        expected = workflowId;
    }

    static void atCommit(Point point, Journal.Writer journal) {
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

    private static void hold(Point point, String workflowId, Journal.Writer journal) {
        journal.write(Deed.Kind.HELD, workflowId, NO_RUN, point.name());
        while (true) {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException deaf) {
                // only the end of the process ends this
            }
        }
    }
}
