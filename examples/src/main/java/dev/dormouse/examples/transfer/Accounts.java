package dev.dormouse.examples.transfer;

import dev.dormouse.error.ActivityFailedException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A table of accounts. */
public class Accounts {

    /** Creates the table and opens two accounts with 1,000 cents each, if they do not exist. */
    public void open(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists account (name varchar(20) primary key, cents int not null)");
            statement.execute("insert into account values ('ada', 1000), ('bob', 1000) on conflict do nothing");
        }
    }

    /** Changes a balance and returns the new one. */
    public int add(Connection connection, String name, int cents) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("update account set cents = cents + ? where name = ?")) {
            update.setInt(1, cents);
            update.setString(2, name);
            if (update.executeUpdate() == 0) {
                throw ActivityFailedException.nonRetryable("there is no account " + name);
            }
        }
        int balance = balance(connection, name);
        if (balance < 0) {
            throw ActivityFailedException.nonRetryable(name + " does not have enough money");
        }
        return balance;
    }

    /** Returns a balance. */
    public int balance(Connection connection, String name) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("select cents from account where name = ?")) {
            select.setString(1, name);
            try (ResultSet rows = select.executeQuery()) {
                rows.next();
                return rows.getInt(1);
            }
        }
    }
}
