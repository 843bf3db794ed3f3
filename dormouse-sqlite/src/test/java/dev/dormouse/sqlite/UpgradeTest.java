package dev.dormouse.sqlite;

import dev.dormouse.Dormouse;
import dev.dormouse.sqlite.sql.Schema;
import dev.dormouse.store.jdbc.Migrations;
import dev.dormouse.support.upgrade.UpgradeScenario;
import java.nio.file.Path;
import java.sql.Connection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** Files of earlier versions, with runs in every status. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UpgradeTest {
    @TempDir
    Path directory;

    @Test
    void runsOfSchemaVersion6ContinueInEveryStatus() throws Exception {
        Path file = directory.resolve("old.db");
        SQLiteDataSource database = new SQLiteDataSource();
        database.setUrl("jdbc:sqlite:" + file);
        try (Connection connection = database.getConnection()) {
            Migrations.of(
                            Schema.class,
                            "V1__tables.sql",
                            "V2__note.sql",
                            "V3__queues.sql",
                            "V4__events.sql",
                            "V5__pages.sql",
                            "V6__strikes.sql")
                    .apply(connection, Schema.dialect(1), true);
        }
        UpgradeScenario scenario = new UpgradeScenario(
                database,
                "dormouse_",
                "/upgrade/sqlite-6.sql",
                () -> Dormouse.builder().store("sqlite:" + file));
        scenario.checkEnds(dormouse -> {});
        scenario.checkPurge();
    }
}
