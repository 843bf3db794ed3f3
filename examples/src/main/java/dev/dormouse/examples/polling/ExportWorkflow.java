package dev.dormouse.examples.polling;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Workflow;
import java.time.Duration;

/** Two calls: the second takes as long as the other system does. */
public class ExportWorkflow implements Export {
    private final Warehouse warehouse = Workflow.activities(Warehouse.class);
    private final Warehouse patient =
            Workflow.activities(Warehouse.class, ActivityOptions.DEFAULT.withTotalTimeout(Duration.ofHours(12)));

    @Override
    public String export(String table) {
        String job = warehouse.begin(table);
        return patient.awaitFile(job);
    }
}
