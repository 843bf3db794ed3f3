package dev.dormouse.examples.cron;

import dev.dormouse.Workflow;
import dev.dormouse.WorkflowInfo;
import java.time.Instant;

/** A workflow that knows the instant for which it was scheduled, however late it begins. */
public class CleanupWorkflow implements Cleanup {
    private final Disk disk = Workflow.activities(Disk.class);

    @Override
    public int clean(String folder) {
        Instant scheduled = Workflow.info()
                .schedule()
                .map(WorkflowInfo.Scheduled::scheduledFor)
                .orElse(Workflow.now());
        return disk.deleteFilesBefore(folder, scheduled);
    }
}
