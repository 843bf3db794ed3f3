package dev.dormouse.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A user's own table in the store's database, as the statements of a transaction access it. */
public interface UserRows {

    void create(Connection connection) throws SQLException;

    void add(Connection connection, String row) throws SQLException;

    /** Returns all rows, sorted. */
    List<String> all(Connection connection) throws SQLException;

    /** Returns a table that is accessed by SQL. */
    static UserRows inTable(String name) {
        return new UserRows() {
            @Override
            public void create(Connection connection) throws SQLException {
                try (Statement statement = connection.createStatement()) {
                    statement.executeUpdate("create table " + name + " (line text primary key)");
                }
            }

            @Override
            public void add(Connection connection, String row) throws SQLException {
                try (PreparedStatement statement =
                        connection.prepareStatement("insert into " + name + " (line) values (?)")) {
                    statement.setString(1, row);
                    statement.executeUpdate();
                }
            }

            @Override
            public List<String> all(Connection connection) throws SQLException {
                List<String> found = new ArrayList<>();
                try (Statement statement = connection.createStatement();
                        ResultSet rows = statement.executeQuery("select line from " + name + " order by line")) {
                    while (rows.next()) {
                        found.add(rows.getString(1));
                    }
                }
                return found;
            }
        };
    }
}
