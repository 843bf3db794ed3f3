package dev.dormouse.sqlite;

import static dev.dormouse.sqlite.Errors.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.sqlite.connect.FileIdentity;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.run.StartOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The file is deleted, renamed or replaced while it is open: nothing is acknowledged that would be lost. */
@Timeout(60)
class FileReplacedTest {
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(FileIdentity.class);

    @TempDir
    Path directory;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private Path file;
    private Store store;

    @BeforeEach
    void open() {
        file = directory.resolve("trial.db");
        store = Stores.open(file);
        log.start();
        LOGGER.addAppender(log);
        assertThat(start("before")).isInstanceOf(StartOutcome.Started.class);
    }

    @AfterEach
    void close() {
        LOGGER.detachAppender(log);
        store.close();
    }

    private StartOutcome start(String workflowId) {
        return store.start(0, List.of(Sample.pending(workflowId))).get(0);
    }

    private void assertStopped() throws SQLException {
        for (int i = 0; i < 3; i++) {
            StartOutcome outcome = start("after " + i);
            assertThat(outcome).isInstanceOf(StartOutcome.Rejected.class);
            assertThat(((StartOutcome.Rejected) outcome).reason().code()).isEqualTo(ErrorCode.STORE_FILE_REPLACED);
        }
        assertError(ErrorCode.STORE_FILE_REPLACED, () -> store.current(0, "before"));
        assertError(ErrorCode.STORE_FILE_REPLACED, () -> store.run(0, UUID.randomUUID()));
        assertError(ErrorCode.STORE_FILE_REPLACED, this::begin);
        assertThat(log.list)
                .filteredOn(event -> event.getLevel() == Level.ERROR)
                .hasSize(1);
    }

    private void begin() {
        try (StoreTransaction transaction = store.begin(0)) {
            assertThat(transaction).isNotNull();
        }
    }

    @Test
    void deletedFileIsNoticedBeforeAnythingIsAcknowledged() throws Exception {
        Files.delete(file);
        assertStopped();
        assertThat(file).doesNotExist();
    }

    @Test
    void deletedLogIsNoticedBeforeAnythingIsAcknowledged() throws Exception {
        Files.delete(log(file));
        assertStopped();
    }

    private static Path log(Path database) {
        return database.resolveSibling(database.getFileName() + "-wal");
    }

    @Test
    void replacedFileIsNoticedAndNotTouched() throws Exception {
        Path other = directory.resolve("other.db");
        Stores.open(other).close();
        byte[] content = Files.readAllBytes(other);
        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
        assertStopped();
        assertThat(file).hasBinaryContent(content);
    }

    @Test
    void fileThatIsRenamedAwayAndBackIsWholeAndHasEverythingThatWasAcknowledged() throws Exception {
        Path away = directory.resolve("away.db");
        Files.move(file, away);
        assertStopped();
        assertThat(file).doesNotExist();
        Files.move(away, file);
        assertThat(start("late")).isInstanceOf(StartOutcome.Rejected.class);
        store.close();
        store = Stores.open(file);
        assertThat(store.current(0, "before")).isPresent();
        assertThat(start("again")).isInstanceOf(StartOutcome.Started.class);
    }

    @Test
    void fileThatIsReplacedDuringATransactionIsNotAcknowledged() throws Exception {
        try (Connection user = Stores.connect(file)) {
            Files.move(file, directory.resolve("away.db"));
            assertError(
                    ErrorCode.STORE_FILE_REPLACED, () -> store.startWithin(user, 0, Sample.pending("in transaction")));
        }
    }

    @Test
    void fileWithASecondNameIsRefused() throws IOException {
        Path link = directory.resolve("link.db");
        Files.createLink(link, file);
        assertError(ErrorCode.STORE_UNSUITABLE, () -> Stores.open(link)).contains("it has 2 (hard links)");
        assertThat(start("still")).isInstanceOf(StartOutcome.Started.class);
        Files.delete(link);
    }
}
