package dev.dormouse.examples.report;

import dev.dormouse.Promise;
import dev.dormouse.Workflow;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** If the report is not finished after a while, one reminder is sent. The report is still completed. */
public class ReportWorkflow implements Report {
    private final Office office = Workflow.activities(Office.class);
    private final Duration patience;
    private boolean late;

    public ReportWorkflow(Duration patience) {
        this.patience = patience;
    }

    @Override
    public String order(String topic) {
        Promise<String> report = Workflow.async(() -> office.write(topic));
        Promise<@Nullable Void> tooLate = Workflow.newTimer(patience);
        Promise.anyOf(report, tooLate).get();
        if (!report.isDone()) {
            late = true;
            office.remind(topic);
        }
        return report.get();
    }

    @Override
    public boolean isLate() {
        return late;
    }
}
