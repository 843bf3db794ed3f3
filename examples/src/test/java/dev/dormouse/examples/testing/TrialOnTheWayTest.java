package dev.dormouse.examples.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.examples.trial.Mail;
import dev.dormouse.examples.trial.RecordedMail;
import dev.dormouse.examples.trial.Trial;
import dev.dormouse.examples.trial.TrialWorkflow;
import dev.dormouse.testing.DormouseExtension;
import dev.dormouse.testing.TestDormouse;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A trial that is looked at, restarted and run without the extension. docs/testing.md quotes this. */
class TrialOnTheWayTest {
    private final RecordedMail mail = new RecordedMail();

    @RegisterExtension
    final DormouseExtension kit = DormouseExtension.of(
            builder -> builder.workflow(Trial.class, TrialWorkflow::new).activities(Mail.class, mail));

    @Test
    void noMailOnTheWay(TestDormouse test) {
        Trial trial = test.dormouse().workflow(Trial.class, "trial-ada");
        test.dormouse().start(() -> trial.run("ada"));

        test.advance(Duration.ofDays(29));
        assertThat(mail.sent()).containsExactly("welcome ada");
        test.advance(Duration.ofDays(1));
        assertThat(mail.sent()).containsExactly("welcome ada", "over ada");
    }

    @Test
    void trialSurvivesTheProcess(TestDormouse test) {
        Trial trial = test.dormouse().workflow(Trial.class, "trial-ada");
        test.dormouse().start(() -> trial.run("ada"));
        test.advance(Duration.ofDays(10));

        Dormouse again = test.restart();

        WorkflowHandle<String> handle = again.find("trial-ada", String.class).orElseThrow();
        assertThat(handle.result()).isEqualTo("done");
        assertThat(mail.sent()).containsExactly("welcome ada", "over ada");
    }

    @Test
    void withoutTheExtension() {
        try (TestDormouse test = TestDormouse.open(
                builder -> builder.workflow(Trial.class, TrialWorkflow::new).activities(Mail.class, mail))) {
            test.dormouse().workflow(Trial.class, "trial-ada").run("ada");
        }
        assertThat(mail.sent()).containsExactly("welcome ada", "over ada");
    }
}
