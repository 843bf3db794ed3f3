package dev.dormouse.examples.signup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.Dormouse;
import dev.dormouse.examples.trial.Mail;
import dev.dormouse.examples.trial.RecordedMail;
import dev.dormouse.examples.trial.Trial;
import dev.dormouse.examples.trial.TrialWorkflow;
import dev.dormouse.inspect.ListOptions;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

@Timeout(60)
class SignUpTest {
    @TempDir
    Path directory;

    private final RecordedMail mail = new RecordedMail();
    private SQLiteDataSource database;
    private Dormouse dormouse;
    private SignUp signUp;

    @BeforeEach
    void open() throws SQLException {
        database = new SQLiteDataSource();
        database.setUrl("jdbc:sqlite:" + directory.resolve("users.db"));
        database.setEnforceForeignKeys(true);
        execute("create table invited (name text primary key)");
        execute("""
                create table account (
                  name text primary key references invited deferrable initially deferred)
                """);
        execute("insert into invited values ('ada')");
        dormouse = Dormouse.builder()
                .store(database)
                .workflow(Trial.class, () -> new TrialWorkflow(Duration.ofMillis(100)))
                .activities(Mail.class, mail)
                .open();
        signUp = new SignUp(database, dormouse);
    }

    @AfterEach
    void close() {
        dormouse.close();
    }

    @Test
    void userAndTrialAreCommittedTogether() throws SQLException {
        assertThat(signUp.signUp("ada").result()).isEqualTo("done");
        assertThat(accounts()).isEqualTo(1);
        assertThat(mail.sent()).containsExactly("welcome ada", "over ada");
    }

    @Test
    void trialIsTakenBackWhenTheCommitIsRefused() throws SQLException {
        assertThatThrownBy(() -> signUp.signUp("bob, who was not invited"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("FOREIGN KEY");
        assertThat(accounts()).isZero();
        assertThat(dormouse.list(ListOptions.ALL).runs()).isEmpty();
    }

    @Test
    void userCannotSignUpTwice() throws SQLException {
        signUp.signUp("ada").result();
        assertThatThrownBy(() -> signUp.signUp("ada")).isInstanceOf(SQLException.class);
        assertThat(accounts()).isEqualTo(1);
        assertThat(mail.sent()).containsExactly("welcome ada", "over ada");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private int accounts() throws SQLException {
        try (Connection connection = database.getConnection();
                ResultSet rows = connection.createStatement().executeQuery("select count(*) from account")) {
            return rows.getInt(1);
        }
    }
}
