package dev.dormouse.examples.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.examples.trial.Mail;
import dev.dormouse.examples.trial.RecordedMail;
import dev.dormouse.examples.trial.Trial;
import dev.dormouse.examples.trial.TrialWorkflow;
import dev.dormouse.testing.DormouseExtension;
import dev.dormouse.testing.TestDormouse;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A month in milliseconds. docs/testing.md quotes this. */
class TrialInDaysTest {
    private final RecordedMail mail = new RecordedMail();

    @RegisterExtension
    final DormouseExtension kit = DormouseExtension.of(
            builder -> builder.workflow(Trial.class, TrialWorkflow::new).activities(Mail.class, mail));

    @Test
    void trialIsOverAfterThirtyDays(TestDormouse test) {
        Trial trial = test.dormouse().workflow(Trial.class, "trial-ada");

        assertThat(trial.run("ada")).isEqualTo("done");

        assertThat(mail.sent()).containsExactly("welcome ada", "over ada");
        assertThat(test.elapsed()).isEqualTo(Duration.ofDays(30));
    }
}
