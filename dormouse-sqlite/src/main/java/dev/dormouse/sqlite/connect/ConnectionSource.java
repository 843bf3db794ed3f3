package dev.dormouse.sqlite.connect;

import java.sql.Connection;
import java.sql.SQLException;

/** A source of connections to one database, all with the same settings. */
@FunctionalInterface
public interface ConnectionSource {
    Connection open() throws SQLException;
}
