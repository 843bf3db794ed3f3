package dev.dormouse.postgres.sqltimers;

import static dev.dormouse.postgres.sqltimers.TimersDatabase.ADMIN;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.postgres.TestPostgres;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

/** Backups, by pg_dump where this machine has one that is as new as the server (with -Dpostgres.major=15), or else by COPY. */
@Timeout(60)
class SqlTimerDumpTest {
    @TempDir
    private Path directory;

    @Test
    void pendingTimersSurviveDumpAndRestoreAndFireAfterwards() throws Exception {
        TimersDatabase database = TimersDatabase.create();
        long id = database.schedule(WEB, "1 s", "insert into ledger (n) values (1)");
        long far = database.schedule(WEB, "1 day", "select 1");
        boolean canDump = dumpVersion() >= Integer.getInteger("postgres.major");
        TimersDatabase restored = canDump ? dumped(database) : copied(database);

        try (SqlTimerNode node = restored.node().open()) {
            restored.awaitStatus(id, 1);
            assertThat(restored.query(ADMIN, "select who from ledger")).isEqualTo(WEB);
            assertThat(restored.status(far)).isZero();
            assertThat(restored.schedule(WEB, "0", "select 1")).isGreaterThan(far);
        }
    }

    private TimersDatabase dumped(TimersDatabase database) throws IOException, InterruptedException {
        TimersDatabase restored = TimersDatabase.createEmpty();
        restored.execute(ADMIN, "drop schema timers");
        Path dump = directory.resolve("dump.sql");
        run("pg_dump", "-f", dump.toString(), database.name());
        run("psql", "-q", "-v", "ON_ERROR_STOP=1", "-f", dump.toString(), "-d", restored.name());
        return restored;
    }

    /** Copies rows like pg_dump, into a newly installed schema. */
    private static TimersDatabase copied(TimersDatabase database) throws IOException, SQLException {
        TimersDatabase restored = TimersDatabase.create();
        StringWriter rows = new StringWriter();
        try (Connection from = database.connect(ADMIN);
                Connection to = restored.connect(ADMIN)) {
            from.unwrap(PGConnection.class).getCopyAPI().copyOut("copy timers.timers to stdout", rows);
            to.unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn("copy timers.timers from stdin", new StringReader(rows.toString()));
        }
        restored.query(
                ADMIN,
                "select setval(pg_get_serial_sequence('timers.timers', 'id'), (select max(id) from timers.timers))");
        return restored;
    }

    private int dumpVersion() throws InterruptedException {
        try {
            Matcher version = Pattern.compile("\\) (\\d+)").matcher(run("pg_dump", "--version"));
            return version.find() ? Integer.parseInt(version.group(1)) : 0;
        } catch (IOException notThere) {
            return 0;
        }
    }

    private String run(String... command) throws IOException, InterruptedException {
        Path output = directory.resolve("output.txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("PGHOST", "localhost");
        builder.environment().put("PGUSER", ADMIN);
        builder.environment().put("PGPORT", Integer.toString(TestPostgres.port()));
        int exit = builder.start().waitFor();
        String told = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(exit).as(List.of(command) + ": " + told).isZero();
        return told;
    }
}
