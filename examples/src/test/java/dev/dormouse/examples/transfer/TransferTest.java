package dev.dormouse.examples.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.RetryPolicy;
import dev.dormouse.error.WorkflowFailedException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** On SQLite, because the test kit's store has no SQL. */
@Timeout(60)
class TransferTest {
    @TempDir
    Path directory;

    private final FailingAccounts accounts = new FailingAccounts();
    private final SQLiteDataSource database = new SQLiteDataSource();
    private Dormouse dormouse;

    @BeforeEach
    void open() throws SQLException {
        database.setUrl("jdbc:sqlite:" + directory.resolve("bank.db"));
        try (Connection connection = database.getConnection()) {
            accounts.open(connection);
        }
        dormouse = Dormouse.builder()
                .store(database)
                .activityOptions(ActivityOptions.DEFAULT.withRetry(
                        RetryPolicy.DEFAULT.withInitialInterval(Duration.ofMillis(10))))
                .workflow(Transfer.class, () -> new TransferWorkflow(accounts))
                .open();
    }

    @AfterEach
    void close() {
        dormouse.close();
    }

    private int balance(String name) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return accounts.balance(connection, name);
        }
    }

    @Test
    void failureBetweenDebitAndCreditIsRolledBackAndRepeated() throws SQLException {
        accounts.failures = 2;
        assertThat(dormouse.workflow(Transfer.class, "t").transfer("ada", "bob", 300))
                .isEqualTo(700);
        assertThat(balance("ada")).isEqualTo(700);
        assertThat(balance("bob")).isEqualTo(1_300);
    }

    @Test
    void repeatedRequestMovesNothing() throws SQLException {
        dormouse.workflow(Transfer.class, "t").transfer("ada", "bob", 300);
        assertThat(dormouse.workflow(Transfer.class, "t").transfer("ada", "bob", 300))
                .isEqualTo(700);
        assertThat(balance("bob")).isEqualTo(1_300);
    }

    @Test
    void nobodyPaysMoreThanTheyHave() throws SQLException {
        Transfer transfer = dormouse.workflow(Transfer.class, "t");
        assertThatThrownBy(() -> transfer.transfer("ada", "bob", 1_001)).isInstanceOf(WorkflowFailedException.class);
        assertThat(balance("ada")).isEqualTo(1_000);
        assertThat(balance("bob")).isEqualTo(1_000);
    }

    /** Fails after the debit. */
    private static final class FailingAccounts extends Accounts {
        private int failures;

        @Override
        public int add(Connection connection, String name, int cents) throws SQLException {
            if (cents > 0 && failures-- > 0) {
                throw new SQLException("the credit failed");
            }
            return super.add(connection, name, cents);
        }
    }
}
