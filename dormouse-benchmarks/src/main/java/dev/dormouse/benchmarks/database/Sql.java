package dev.dormouse.benchmarks.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Single statements, each on a connection of its own. */
final class Sql {
    private Sql() {}

    static void execute(String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    /** Whether the server accepts it. */
    static boolean works(String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
            return true;
        } catch (SQLException refused) {
            return false;
        }
    }

    /** The one value of a query. */
    static String value(String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return String.valueOf(rows.getString(1));
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private static IllegalStateException failed(SQLException e) {
        return new IllegalStateException("Expected an answer of PostgreSQL, but: " + e.getMessage(), e);
    }
}
