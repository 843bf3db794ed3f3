package dev.dormouse.examples.trial;

import dev.dormouse.Workflow;
import java.time.Duration;

/** Two mails, and a long sleep between them that survives every crash and restart. */
public class TrialWorkflow implements Trial {
    private final Mail mail = Workflow.activities(Mail.class);
    private final Duration length;

    public TrialWorkflow() {
        this(Duration.ofDays(30));
    }

    public TrialWorkflow(Duration length) {
        this.length = length;
    }

    @Override
    public String run(String user) {
        mail.welcome(user);
        Workflow.sleep(length); // no thread, no heap: one row
        mail.trialIsOver(user);
        return "done";
    }
}
