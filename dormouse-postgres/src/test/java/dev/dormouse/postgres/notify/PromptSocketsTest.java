package dev.dormouse.postgres.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.postgres.TestPostgres;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

class PromptSocketsTest {

    /** No data is available at first, and some arrives during the wait. */
    private static InputStream soon() {
        return new ByteArrayInputStream(new byte[] {7}) {
            @Override
            public synchronized int available() {
                return 0;
            }
        };
    }

    private static int read(InputStream in, int timeoutMillis) throws IOException {
        return new PromptSockets.PromptInput(in, () -> timeoutMillis).read(new byte[1]);
    }

    @Test
    void lookForMoreDoesNotWait() throws IOException {
        assertThatThrownBy(() -> read(soon(), 1)).isInstanceOf(SocketTimeoutException.class);
        assertThat(read(new ByteArrayInputStream(new byte[] {7}), 1)).isEqualTo(1);
    }

    @Test
    void allOtherReadsWait() throws IOException {
        for (int millis : List.of(0, 2, 60_000)) {
            assertThat(read(soon(), millis)).isEqualTo(1);
        }
    }

    @Test
    void socketsThatTheUrlAsksForAreKept() {
        PGSimpleDataSource plain = new PGSimpleDataSource();
        PromptSockets.useFor(plain);
        assertThat(plain.getSocketFactory()).isEqualTo(PromptSockets.class.getName());
        PGSimpleDataSource own = new PGSimpleDataSource();
        own.setURL("jdbc:postgresql://localhost/app?socketFactory=" + WatchedSockets.class.getName());
        PromptSockets.useFor(own);
        assertThat(own.getSocketFactory()).isEqualTo(WatchedSockets.class.getName());
    }

    /** Fails if another version of the driver waits differently. */
    @Test
    void driverLooksForMoreWithAWaitOfOneMillisecond() throws Exception {
        try (Connection connection = DriverManager.getConnection(
                        TestPostgres.url() + "&socketFactory=" + WatchedSockets.class.getName());
                Statement statement = connection.createStatement()) {
            PGConnection driver = connection.unwrap(PGConnection.class);
            statement.execute("listen watched");
            try (Connection other = TestPostgres.connect();
                    Statement speaker = other.createStatement()) {
                speaker.execute("notify watched");
            }
            WatchedSockets.TIMEOUTS.clear();
            assertThat(driver.getNotifications(20_000)).hasSize(1);
            assertThat(WatchedSockets.TIMEOUTS).contains(1);
        }
    }
}
