package dev.dormouse.sqlite.sql;

import dev.dormouse.inspect.RunStatus;

/** Rules that connect a status with other columns of the run. */
public final class StatusColumns {
    private StatusColumns() {}

    /** Returns true if a run with this status has an owner. */
    public static boolean hasOwner(RunStatus status) {
        return status == RunStatus.RUNNING || status == RunStatus.PARKED;
    }
}
