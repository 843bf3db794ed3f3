package dev.dormouse.sqlite;

import java.sql.SQLException;

/** Nothing was begun, because somebody else's transaction holds the file's write lock. */
final class WriteLockedException extends SQLException {
    private static final long serialVersionUID = 1L;

    WriteLockedException() {
        super("another connection holds the write lock");
    }
}
