package dev.dormouse.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.examples.trial.ConsoleMail;
import dev.dormouse.examples.trial.Mail;
import dev.dormouse.examples.trial.Trial;
import dev.dormouse.examples.trial.TrialWorkflow;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** Nodes as docs/production.md, docs/settings.md and docs/deploying-changed-code.md configure them. */
class ProductionGuideTest {

    @Test
    void nodeOfTheChecklistOpens() {
        String databaseUrl = "sqlite::memory:";
        Dormouse dormouse = Dormouse.builder()
                .store(databaseUrl)
                .buildId("orders-2.1")
                .retention(Duration.ofDays(30))
                .workflow(Trial.class, TrialWorkflow::new)
                .activities(Mail.class, new ConsoleMail())
                .open();
        try (dormouse) {
            assertThat(dormouse.outages()).isEmpty();
        }
    }

    @Test
    void dataSourceOfTheServiceIsTheStore(@TempDir Path directory) {
        SQLiteDataSource dataSource = new SQLiteDataSource();
        dataSource.setUrl("jdbc:sqlite:" + directory.resolve("app.db"));
        DormouseBuilder builder = Dormouse.builder().store(dataSource);
        try (Dormouse dormouse = builder.open()) {
            assertThat(dormouse.outages()).isEmpty();
        }
        assertThat(directory.resolve("app.db")).exists();
    }

    @Test
    void buildHasAName() {
        DormouseBuilder builder = Dormouse.builder().buildId("parcels-2.1");
        try (Dormouse dormouse = builder.store("sqlite::memory:").open()) {
            assertThat(dormouse.outages()).isEmpty();
        }
    }
}
