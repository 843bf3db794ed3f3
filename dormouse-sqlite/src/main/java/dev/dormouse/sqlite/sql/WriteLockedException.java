package dev.dormouse.sqlite.sql;

import java.sql.SQLException;

/** Thrown if a transaction did not start because another connection holds the file's write lock. */
public final class WriteLockedException extends SQLException {
    private static final long serialVersionUID = 1L;

    public WriteLockedException() {
        super("another connection holds the write lock");
    }
}
