package dev.dormouse.postgres;

import java.sql.SQLException;

/** A session that is set up, by its role or database, so that the engine cannot work in it and may not change that. */
final class UnsuitableSession extends SQLException {
    private static final long serialVersionUID = 1;

    UnsuitableSession(SQLException cause) {
        super(cause.getMessage(), cause.getSQLState(), cause);
    }
}
