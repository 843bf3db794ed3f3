package dev.dormouse.postgres;

import dev.dormouse.Dormouse;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.jdbc.Migrations;
import dev.dormouse.support.upgrade.UpgradeScenario;
import java.sql.Connection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Databases of earlier versions, with runs in every status. */
@Timeout(120)
class UpgradeTest {
    @Test
    void runsOfSchemaVersion7ContinueInEveryStatus() throws Exception {
        String name = TestPostgres.newSchema();
        Schema schema = new Schema(name);
        PGSimpleDataSource database = TestPostgres.engine();
        database.setCurrentSchema(name);
        try (Connection connection = database.getConnection()) {
            Migrations.of(
                            Schema.class,
                            "V1__run.sql",
                            "V2__note.sql",
                            "V3__queues.sql",
                            "V4__requests.sql",
                            "V5__events.sql",
                            "V6__pages.sql",
                            "V7__recovery.sql")
                    .apply(connection, schema.dialect(), true);
        }
        UpgradeScenario scenario = new UpgradeScenario(
                database,
                "",
                "/upgrade/postgres-7.sql",
                () -> Dormouse.builder().store(TestPostgres.url()).schema(name));
        scenario.checkEnds(
                dormouse -> // a row that dormouse.start_workflow(…) inserted while no node was running
                UpgradeScenario.assertReturns(dormouse, "from-sql", "sql one two three four"));
        scenario.checkPurge();
    }
}
