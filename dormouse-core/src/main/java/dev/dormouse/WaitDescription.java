package dev.dormouse;

import dev.dormouse.replay.OpenWait;
import dev.dormouse.store.RunRow;
import dev.dormouse.store.RunStatus;
import dev.dormouse.store.WakeReason;
import java.time.Instant;
import java.util.Optional;

/**
 * Something that a run waits for; see {@link WorkflowHandle#waits}.
 *
 * @param call the number of the call in the run, for {@link WorkflowHandle#moveWait}; {@link #BEGINNING} for a start that is
 *     delayed
 * @param name of the step, signal, event or named timer, or the workflow id of the child; may be empty
 * @param since when the code began to wait
 * @param until when it is over at the latest, or when the next attempt begins; empty where time does not matter
 * @param canMove whether {@link WorkflowHandle#moveWait} can change that
 * @param at the line of the workflow's code, such as {@code shop.OrderWorkflow.run(OrderWorkflow.java:31)}; may be empty
 */
public record WaitDescription(
        int call, Kind kind, String name, Instant since, Optional<Instant> until, boolean canMove, String at) {

    /** Stands for the beginning of a run, which no call of its code waits for. */
    public static final int BEGINNING = -1;

    public enum Kind {
        /** Its start is delayed. */
        START,
        SLEEP,
        /** A timer that the code has set, also the sleep of an {@link UpdatableTimer}. */
        TIMER,
        /** A condition; its deadline may be that of an {@link UpdatableTimer}, whose name it has then. */
        CONDITION,
        SIGNAL,
        EVENT,
        STEP,
        CHILD
    }

    static WaitDescription of(OpenWait wait) {
        return new WaitDescription(
                wait.call(),
                Kind.valueOf(wait.kind().name()),
                wait.name(),
                wait.since(),
                Optional.ofNullable(wait.until()),
                wait.canMove(),
                wait.at());
    }

    static boolean isDelayed(RunRow row) {
        return row.status() == RunStatus.PENDING && row.wakeReason() == WakeReason.START && row.nextSeq() == 1;
    }

    static WaitDescription ofDelayed(RunRow row) {
        return new WaitDescription(
                BEGINNING, Kind.START, "", row.createdAt(), Optional.ofNullable(row.wakeAt()), true, "");
    }
}
