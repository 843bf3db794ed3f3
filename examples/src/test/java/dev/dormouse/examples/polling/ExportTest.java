package dev.dormouse.examples.polling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.error.WorkflowFailedException;
import dev.dormouse.testing.DormouseExtension;
import dev.dormouse.testing.TestDormouse;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ExportTest {
    private final FakeJobs jobs = new FakeJobs();

    @RegisterExtension
    final DormouseExtension kit = DormouseExtension.of(builder -> builder.workflow(Export.class, ExportWorkflow::new)
            .activities(Warehouse.class, new PollingWarehouse(jobs, Duration.ofMinutes(30))));

    @Test
    void pollingContinuesAfterACrashWithoutASecondJob(TestDormouse test) {
        jobs.looksBeforeTheEnd = 4;
        Export export = test.dormouse().workflow(Export.class, "export");
        test.dormouse().start(() -> export.export("orders"));
        test.advance(Duration.ofMinutes(45));
        test.restart();
        assertThat(test.dormouse().handle("export", String.class).result()).isEqualTo("file");
        assertThat(jobs.begun).isEqualTo(1);
        assertThat(jobs.looks).isEqualTo(5);
        assertThat(test.elapsed()).isEqualTo(Duration.ofHours(2));
    }

    @Test
    void failedJobFailsTheRunAtOnce(TestDormouse test) {
        jobs.end = "FAILED";
        Export export = test.dormouse().workflow(Export.class, "export");
        assertThatThrownBy(() -> export.export("orders"))
                .isInstanceOf(WorkflowFailedException.class)
                .hasStackTraceContaining("job of orders has failed");
        assertThat(jobs.looks).isEqualTo(1);
    }

    @Test
    void jobThatNeverEndsIsGivenUpAfterTwelveHours(TestDormouse test) {
        jobs.looksBeforeTheEnd = Integer.MAX_VALUE;
        Export export = test.dormouse().workflow(Export.class, "export");
        assertThatThrownBy(() -> export.export("orders")).isInstanceOf(WorkflowFailedException.class);
        assertThat(test.elapsed()).isBetween(Duration.ofHours(11), Duration.ofHours(12));
    }

    private static final class FakeJobs implements PollingWarehouse.Jobs {
        private int looksBeforeTheEnd;
        private String end = "file";
        private int begun;
        private int looks;

        @Override
        public String begin(String table, String key) {
            begun++;
            return "job of " + table;
        }

        @Override
        public String look(String job) {
            return looks++ < looksBeforeTheEnd ? "RUNNING" : end;
        }
    }
}
