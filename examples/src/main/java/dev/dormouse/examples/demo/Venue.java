package dev.dormouse.examples.demo;

import dev.dormouse.examples.demo.News.Tone;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The {@link Stage}, the database and the {@link Crew}. Closing it ends all processes, and may happen at any moment. */
final class Venue {
    private static final String SCHEMA = "dormouse_demo";

    private final Options options;
    private final Stage stage;
    private @Nullable DatabaseProcess database;
    private @Nullable Crew crew;
    private @Nullable Screen screen;
    private Optional<Settings> scratch = Optional.empty();
    private boolean closed;

    Venue(Options options, Stage stage) {
        this.options = options;
        this.stage = stage;
    }

    Stage stage() {
        return stage;
    }

    boolean isSqlite() {
        return options.postgres().isEmpty();
    }

    Crew open(News news, Plan.Pace pace) throws IOException, InterruptedException {
        news.tell(Tone.PLAIN, "Everything is kept in " + stage.folder() + (stage.isTemporary() ? ", for now." : "."));
        Settings settings = new Settings(stage.folder().toString(), store(news), schema(), pace, "", 0);
        return hire(settings);
    }

    private synchronized Crew hire(Settings settings) {
        if (isScratch()) {
            scratch = Optional.of(settings);
        }
        Crew hired = new Crew(settings, database);
        if (closed) {
            hired.close();
        }
        crew = hired;
        return hired;
    }

    private String store(News news) throws IOException, InterruptedException {
        if (isSqlite()) {
            return stage.sqlite();
        } else if (!options.isEmbedded()) {
            return options.postgres().orElseThrow();
        }
        news.tell(Tone.PLAIN, "PostgreSQL starts, from the binaries that the build has brought.");
        return startDatabase().url();
    }

    private synchronized DatabaseProcess startDatabase() throws IOException {
        WentWrong.unless(!closed, "Expected the demo to go on, but it was stopped.");
        DatabaseProcess started = DatabaseProcess.start(stage.folder());
        database = started;
        return started;
    }

    /** A story of which nothing is to be left uses a schema that is dropped. */
    private boolean isScratch() {
        return stage.isTemporary() && !isSqlite() && !options.isEmbedded();
    }

    private String schema() {
        return isScratch() ? SCHEMA + "_" + ProcessHandle.current().pid() : SCHEMA;
    }

    synchronized void use(Screen opened) {
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
        if (crew != null) {
            crew.close();
        } else if (database != null) {
            database.end();
        }
        scratch.ifPresent(Venue::drop);
        stage.clear();
    }

    private static void drop(Settings settings) {
        try (Connection connection = DriverManager.getConnection(settings.store());
                Statement statement = connection.createStatement()) {
            statement.execute("drop schema if exists " + settings.schema() + " cascade");
        } catch (SQLException e) {
            System.err.println("dormouse demo: Expected to drop the schema " + settings.schema()
                    + ", but that failed. Drop it yourself.");
        }
    }
}
