package dev.dormouse.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.dormouse.codec.Payload;
import dev.dormouse.inspect.StoreTrouble;
import dev.dormouse.internal.engine.Node;
import dev.dormouse.internal.engine.context.NodeName;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.internal.run.EngineSettings;
import dev.dormouse.internal.run.NewRun;
import dev.dormouse.internal.run.StartedRun;
import dev.dormouse.internal.thread.JvmThreads;
import dev.dormouse.sqlite.connect.ConnectionFactory;
import dev.dormouse.sqlite.connect.ConnectionRole;
import dev.dormouse.sqlite.connect.ConnectionSource;
import dev.dormouse.sqlite.connect.DatabaseLocation;
import dev.dormouse.sqlite.connect.FileIdentity;
import dev.dormouse.sqlite.connect.ReaderPool;
import dev.dormouse.sqlite.connect.WriteConnection;
import dev.dormouse.store.Store;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A SQLite file that cannot grow: the node says so once, and resumes by itself when there is space again. */
@Tag("disk")
@Timeout(60)
class FullDiskTest {
    private static final EngineSettings SETTINGS = new EngineSettings(
            Duration.ofSeconds(15),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofSeconds(5),
            100,
            100,
            5,
            10_000,
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            Duration.ofHours(1),
            Optional.empty(),
            2,
            Map.of());

    @TempDir
    Path directory;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final List<Connection> connections = new CopyOnWriteArrayList<>();
    private volatile boolean isFull;

    @BeforeEach
    void listen() {
        log.start();
        logger().setLevel(Level.INFO);
        logger().addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger().detachAppender(log);
        logger().setLevel(null);
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger("dev.dormouse");
    }

    private List<String> lines() {
        return log.list.stream()
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }

    private Store open(Path file) {
        Stores.open(file).close();
        ConnectionSource plain = ConnectionFactory.toFile(file, ConnectionRole.WRITER);
        ConnectionSource limited = () -> {
            Connection connection = plain.open();
            limit(connection);
            connections.add(connection);
            return connection;
        };
        WriteConnection writer =
                new WriteConnection(limited, Optional.of(plain), InstantSource.system(), FileIdentity.NONE);
        return new SqliteStore(new DatabaseLocation(Optional.of(file)), 1, writer, new ReaderPool(plain), () -> {});
    }

    private void limit(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            int pages = statement.executeQuery("pragma page_count").getInt(1);
            statement.execute("pragma max_page_count = " + (isFull ? pages : pages + 1_000_000));
        }
    }

    /** Lets the file not grow, or grow again; connections that are opened later too. */
    private void full(boolean yes) throws SQLException {
        isFull = yes;
        for (Connection connection : connections) {
            if (!connection.isClosed()) {
                limit(connection);
            }
        }
    }

    private static NewRun large(String id) {
        List<Payload> input = List.of(new Payload("json", new byte[200_000]));
        return new NewRun(id, "elsewhere", input, null, null, null, Map.of(), Origin.NONE, Set.of());
    }

    @Test
    void fullDiskAndItsEndAreLoggedOnce() throws Exception {
        JvmThreads threads = new JvmThreads();
        try (Store store = open(directory.resolve("trial.db"));
                Node node =
                        new Node(store, threads, SETTINGS, new Random(1), new NodeName("n", "b"), Map.of()).open()) {
            full(true);
            CompletableFuture<StartedRun> started = CompletableFuture.supplyAsync(() -> node.start(large("big")));
            await(() -> !node.outages().isEmpty());
            assertThat(node.outages().get(0).trouble()).isEqualTo(StoreTrouble.FULL);
            Thread.sleep(8_000);
            assertThat(lines()).hasSize(1);
            assertThat(lines().get(0))
                    .startsWith("WARN The store has no space left. Nothing is lost")
                    .contains("[DM2005]");
            full(false);
            assertThat(started.get().isNew()).isTrue();
            await(() -> node.outages().isEmpty());
            assertThat(lines()).hasSize(2);
            assertThat(lines().get(1)).startsWith("INFO The store has space again, after ");
        } finally {
            threads.close();
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 200 && !condition.getAsBoolean(); i++) {
            Thread.sleep(100);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }
}
