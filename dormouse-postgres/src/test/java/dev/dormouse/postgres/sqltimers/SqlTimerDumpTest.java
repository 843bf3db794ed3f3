package dev.dormouse.postgres.sqltimers;

import static dev.dormouse.postgres.sqltimers.TimersDatabase.ADMIN;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.WEB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.dormouse.postgres.TestPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Backups. Needs a pg_dump on this machine that is as new as the server; there is one for -Dpostgres.major=15. */
@Timeout(60)
class SqlTimerDumpTest {
    @TempDir
    private Path directory;

    @Test
    void pendingTimersSurviveDumpAndRestoreAndFireAfterwards() throws IOException, InterruptedException {
        assumeTrue(dumpVersion() >= Integer.getInteger("postgres.major"));
        TimersDatabase database = TimersDatabase.create();
        long id = database.schedule(WEB, "1 s", "insert into ledger (n) values (1)");
        long far = database.schedule(WEB, "1 day", "select 1");
        TimersDatabase restored = TimersDatabase.createEmpty();
        restored.execute(ADMIN, "drop schema timers");

        Path dump = directory.resolve("dump.sql");
        run("pg_dump", "-f", dump.toString(), database.name());
        run("psql", "-q", "-v", "ON_ERROR_STOP=1", "-f", dump.toString(), "-d", restored.name());

        try (SqlTimers node = restored.node().open()) {
            restored.awaitStatus(id, 1);
            assertThat(restored.query(ADMIN, "select who from ledger")).isEqualTo(WEB);
            assertThat(restored.status(far)).isZero();
            assertThat(restored.schedule(WEB, "0", "select 1")).isGreaterThan(far);
        }
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
