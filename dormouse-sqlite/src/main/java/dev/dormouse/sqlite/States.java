package dev.dormouse.sqlite;

import dev.dormouse.store.RunStatus;

/** What a status says about the columns beside it. */
final class States {
    private States() {}

    static boolean hasOwner(RunStatus status) {
        return status == RunStatus.RUNNING || status == RunStatus.PARKED;
    }
}
