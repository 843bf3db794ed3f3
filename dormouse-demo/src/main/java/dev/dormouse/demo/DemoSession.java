package dev.dormouse.demo;

import dev.dormouse.demo.base.DemoFailure;
import dev.dormouse.demo.base.DemoFolder;
import dev.dormouse.demo.base.DemoOptions;
import dev.dormouse.demo.order.Plan;
import dev.dormouse.demo.order.StepLog;
import dev.dormouse.demo.run.DatabaseProcess;
import dev.dormouse.demo.run.DemoMessages;
import dev.dormouse.demo.run.DemoMessages.Tone;
import dev.dormouse.demo.run.WorkerPool;
import dev.dormouse.demo.screen.TerminalScreen;
import dev.dormouse.demo.worker.WorkerSettings;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The {@link DemoFolder}, the database and the {@link WorkerPool} of a demo. Thread-safe: {@link #close} ends all
 * processes, at any time; a pool or screen that is opened later is closed at once.
 */
final class DemoSession {
    private static final String SCHEMA = "dormouse_demo";

    private final DemoOptions options;
    private final DemoFolder demoFolder;
    private @Nullable DatabaseProcess database;
    private @Nullable WorkerPool pool;
    private @Nullable TerminalScreen screen;
    private Optional<WorkerSettings> scratch = Optional.empty();
    private boolean closed;

    DemoSession(DemoOptions options, DemoFolder demoFolder) {
        this.options = options;
        this.demoFolder = demoFolder;
    }

    DemoFolder demoFolder() {
        return demoFolder;
    }

    StepLog stepLog() {
        return new StepLog(demoFolder.folder());
    }

    private boolean isSqlite() {
        return options.postgres().isEmpty();
    }

    WorkerPool open(DemoMessages news, Plan.Pace pace) throws IOException, InterruptedException {
        news.tell(
                Tone.PLAIN,
                "Everything is kept in " + demoFolder.folder() + (demoFolder.isTemporary() ? ", for now." : "."));
        WorkerSettings settings =
                new WorkerSettings(demoFolder.folder().toString(), store(news), schema(), pace, "", 0);
        return hire(settings);
    }

    private synchronized WorkerPool hire(WorkerSettings settings) {
        if (isScratch()) {
            scratch = Optional.of(settings);
        }
        WorkerPool started = new WorkerPool(settings, database);
        if (closed) {
            started.close();
        }
        pool = started;
        return started;
    }

    private String store(DemoMessages news) throws IOException, InterruptedException {
        if (isSqlite()) {
            return demoFolder.sqlite();
        } else if (!options.isEmbedded()) {
            return options.postgres().orElseThrow();
        }
        news.tell(Tone.PLAIN, "PostgreSQL starts, from binaries that Maven has downloaded.");
        return startDatabase().url();
    }

    private synchronized DatabaseProcess startDatabase() throws IOException {
        DemoFailure.unless(!closed, "Expected the demo to continue, but it was stopped.");
        DatabaseProcess started = DatabaseProcess.start(demoFolder.folder());
        database = started;
        return started;
    }

    /** Returns true if nothing must be left on the user's server: the schema is dropped at the end. */
    private boolean isScratch() {
        return demoFolder.isTemporary() && !isSqlite() && !options.isEmbedded();
    }

    private String schema() {
        return isScratch() ? SCHEMA + "_" + ProcessHandle.current().pid() : SCHEMA;
    }

    synchronized void use(TerminalScreen opened) {
        screen = opened;
        if (closed) {
            opened.close();
        }
    }

    synchronized boolean isClosed() {
        return closed;
    }

    synchronized void close() {
        closed = true;
        if (screen != null) {
            screen.close();
        }
        if (pool != null) {
            pool.close();
        } else if (database != null) {
            database.end();
        }
        scratch.ifPresent(DemoSession::drop);
        demoFolder.clear();
    }

    private static void drop(WorkerSettings settings) {
        try (Connection connection = DriverManager.getConnection(settings.store());
                Statement statement = connection.createStatement()) {
            statement.execute("drop schema if exists " + settings.schema() + " cascade");
        } catch (SQLException e) {
            System.err.println("dormouse demo: Expected to drop the schema " + settings.schema()
                    + ", but that failed. Drop it yourself.");
        }
    }
}
