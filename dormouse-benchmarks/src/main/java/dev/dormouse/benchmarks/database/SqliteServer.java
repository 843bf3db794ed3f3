package dev.dormouse.benchmarks.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** SQLite files in a temporary directory. */
public final class SqliteServer implements DatabaseServer {
    private final Path directory;
    private int databases;

    private SqliteServer(Path directory) {
        this.directory = directory;
    }

    public static SqliteServer start() {
        try {
            return new SqliteServer(Files.createTempDirectory("dormouse-bench"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public List<String> description() {
        return List.of("SQLite, one file per turn, as Dormouse opens it (WAL, synchronous = FULL)");
    }

    @Override
    public BenchDatabase newDatabase() {
        return new File(directory.resolve("bench-" + ++databases + ".db"));
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException | UncheckedIOException left) {
            // the rest stays in the directory for temporary files
        }
    }

    private record File(Path file) implements BenchDatabase {
        @Override
        public String url() {
            return "sqlite:" + file;
        }

        @Override
        public Optional<DatabaseStatistics> insight() {
            return Optional.empty();
        }

        @Override
        public void close() {
            for (String suffix : List.of("", "-wal", "-shm", ".lock")) {
                file.resolveSibling(file.getFileName() + suffix).toFile().delete();
            }
        }
    }
}
