package dev.dormouse.sqlite;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens connections to one database, all set up alike. */
@FunctionalInterface
interface ConnectionSource {
    Connection open() throws SQLException;
}
