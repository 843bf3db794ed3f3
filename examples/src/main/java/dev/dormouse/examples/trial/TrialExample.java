package dev.dormouse.examples.trial;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;

/**
 * The smallest program. It takes 30 days, but not in one piece: stop it at any time and run it again, and the trial
 * resumes. The welcome is not sent again, and the trial ends at the planned time.
 */
public final class TrialExample {
    private TrialExample() {}

    public static void main(String[] args) {
        try (Dormouse dormouse = Dormouse.builder()
                .store("sqlite:trial.db") // or "jdbc:postgresql://…", or a DataSource
                .workflow(Trial.class, TrialWorkflow::new)
                .activities(Mail.class, new ConsoleMail())
                .open()) {
            Trial trial = dormouse.workflow(Trial.class, "trial-ada"); // a stub for workflow id "trial-ada"
            WorkflowHandle<String> handle = dormouse.start(() -> trial.run("ada"));
            handle.result(); // trial.run("ada") alone starts it and waits
        }
    }
}
