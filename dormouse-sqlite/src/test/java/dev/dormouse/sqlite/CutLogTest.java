package dev.dormouse.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.sqlite.connect.ConnectionFactory;
import dev.dormouse.sqlite.connect.ConnectionRole;
import dev.dormouse.store.Store;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The claims of docs/guarantees.md about SQLite's durability. */
class CutLogTest {
    private static final int STEPS = 60;

    @TempDir
    Path directory;

    @Test
    void everyCommitIsForcedToTheDisk() throws Exception {
        Path file = directory.resolve("trial.db");
        try (Store store = Stores.open(file);
                Connection connection =
                        ConnectionFactory.toFile(file, ConnectionRole.WRITER).open()) {
            assertThat(store.isExclusive()).isTrue();
            assertThat(pragma(connection, "synchronous")).isEqualTo("2");
            assertThat(pragma(connection, "journal_mode")).isEqualTo("wal");
            assertThat(pragma(connection, "cache_size")).isEqualTo("-32768");
        }
    }

    private static String pragma(Connection connection, String name) throws SQLException {
        return connection.createStatement().executeQuery("pragma " + name).getString(1);
    }

    /** A truncated log is not an error for SQLite: what was after the cut is lost, what was before it is complete. */
    @Test
    void logThatIsCutAnywhereLosesTheLastCommitsAndNothingElse() throws Exception {
        Path file = directory.resolve("trial.db");
        byte[] database;
        byte[] log;
        try (Store store = Stores.open(file)) {
            List<Start> runs = Sample.leased("wf-", 5);
            store.start(0, runs);
            for (int i = 0; i < STEPS; i++) {
                int step = i;
                store.commit(0, runs.stream().map(run -> Sample.step(run, step)).toList());
            }
            database = Files.readAllBytes(file);
            log = Files.readAllBytes(directory.resolve("trial.db-wal"));
        }
        Random random = new Random(42);
        assertThat(stepsAfterCut(database, log, log.length)).isEqualTo(STEPS);
        int shortest = STEPS;
        for (int i = 0; i < 20; i++) {
            int cut = log.length / 3 + random.nextInt(log.length / 3 * 2);
            shortest = Math.min(shortest, stepsAfterCut(database, log, cut));
        }
        assertThat(shortest).isLessThan(STEPS);
    }

    private int stepsAfterCut(byte[] database, byte[] log, int length) throws IOException {
        Path copy = directory.resolve("cut-" + length + ".db");
        Files.write(copy, database);
        Files.write(directory.resolve(copy.getFileName() + "-wal"), Arrays.copyOf(log, length));
        try (Store store = Stores.open(copy)) {
            List<RunRow> runs = Whole.runs(store);
            assertThat(runs).hasSize(5);
            assertThat(runs.stream().map(RunRow::nextSeq).distinct()).hasSize(1);
            return runs.get(0).nextSeq() - 1;
        }
    }
}
