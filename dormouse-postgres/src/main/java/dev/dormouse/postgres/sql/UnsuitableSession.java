package dev.dormouse.postgres.sql;

import java.sql.SQLException;

/** Thrown if the role or database sets up sessions so that the engine cannot work in them and may not change that. */
public final class UnsuitableSession extends SQLException {
    private static final long serialVersionUID = 1;

    public UnsuitableSession(SQLException cause) {
        super(cause.getMessage(), cause.getSQLState(), cause);
    }
}
