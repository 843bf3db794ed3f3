package dev.dormouse.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.examples.trial.ConsoleMail;
import dev.dormouse.examples.trial.Mail;
import dev.dormouse.examples.trial.Trial;
import dev.dormouse.examples.trial.TrialWorkflow;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Nodes as docs/production.md and docs/deploying-changed-code.md configure them. */
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
    void buildHasAName() {
        DormouseBuilder builder = Dormouse.builder().buildId("parcels-2.1");
        try (Dormouse dormouse = builder.store("sqlite::memory:").open()) {
            assertThat(dormouse.outages()).isEmpty();
        }
    }
}
