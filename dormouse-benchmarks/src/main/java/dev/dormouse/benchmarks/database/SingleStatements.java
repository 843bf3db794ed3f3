package dev.dormouse.benchmarks.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Single statements, each executed on its own connection unless one is given. */
final class SingleStatements {
    private SingleStatements() {}

    static void execute(String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    /** Returns true if the server accepts the statement. */
    static boolean works(String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
            return true;
        } catch (SQLException refused) {
            return false;
        }
    }

    /** Returns the single value of a query. */
    static String value(String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url)) {
            return value(connection, sql);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    /** Returns the single value of a query. */
    static String value(Connection connection, String sql) {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return String.valueOf(rows.getString(1));
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    static Connection connect(String url) {
        try {
            return DriverManager.getConnection(url);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private static IllegalStateException failed(SQLException e) {
        return new IllegalStateException("Expected an answer of PostgreSQL, but: " + e.getMessage(), e);
    }
}
