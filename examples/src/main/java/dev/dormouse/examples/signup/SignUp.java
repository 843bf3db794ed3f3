package dev.dormouse.examples.signup;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.examples.trial.Trial;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * The sign-up of users, which starts a trial for each new user. Both are written in one transaction, so that there is
 * never a user without a trial, nor a trial without a user. The trial begins after the commit.
 */
public final class SignUp {
    private final DataSource database;
    private final Dormouse dormouse;

    /** @param database the database of Dormouse's store, with a table {@code account} */
    public SignUp(DataSource database, Dormouse dormouse) {
        this.database = database;
        this.dormouse = dormouse;
    }

    public WorkflowHandle<String> signUp(String user) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try {
                insert(connection, user);
                WorkflowHandle<String> trial = startTrial(connection, user);
                connection.commit();
                return trial;
            } catch (SQLException | RuntimeException problem) {
                connection.rollback(); // takes the trial back too
                throw problem;
            }
        }
    }

    private static void insert(Connection connection, String user) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into account (name) values (?)")) {
            insert.setString(1, user);
            insert.executeUpdate();
        }
    }

    private WorkflowHandle<String> startTrial(Connection connection, String user) {
        Trial trial = dormouse.workflow(Trial.class, "trial-" + user);
        return dormouse.within(connection).start(() -> trial.run(user));
    }
}
