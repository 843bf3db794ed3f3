package dev.dormouse.examples.report;

import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.examples.terminal.Command;
import dev.dormouse.examples.terminal.Terminal;
import java.time.Duration;

/**
 * A run that orders a report and waits for half of the time that writing takes; {@code late} returns whether a reminder
 * was sent. See {@link Terminal}.
 */
public final class ReportExample {
    private static final String ID = "report-1";
    private static final StartOptions ANEW = StartOptions.DEFAULT.withIdReuse(IdReuse.START_NEW);

    private ReportExample() {}

    public static void main(String[] args) {
        Terminal.run(args, "sqlite:report.db", Duration.ofMinutes(1), ReportExample::start, ReportExample::update);
    }

    private static void start(Terminal terminal) {
        Duration effort = terminal.duration();
        try (Dormouse dormouse = Dormouse.builder()
                .store(terminal.store())
                .workflow(Report.class, () -> new ReportWorkflow(effort.dividedBy(2)))
                .activities(Office.class, new SlowOffice(effort))
                .open()) {
            Report report = dormouse.workflow(Report.class, ID, ANEW);
            WorkflowHandle<String> handle = dormouse.start(() -> report.order("dormice"));
            terminal.say("Waiting. You can: late");
            terminal.obey(command -> obey(report, command));
            terminal.say("The result: " + handle.result());
        }
    }

    /** Sends commands: this process has the interface of the workflow, but not its code. */
    private static void update(Terminal terminal) {
        try (Dormouse dormouse = Dormouse.builder()
                .store(terminal.store())
                .remoteWorkflow(Report.class)
                .open()) {
            Report report = dormouse.workflow(Report.class, ID);
            terminal.say("Ready. You can: late");
            terminal.obey(command -> obey(report, command));
        }
    }

    private static Object obey(Report report, Command command) {
        if (!command.name().equals("late")) {
            throw command.unknown("late");
        }
        return report.isLate() ? "It is late." : "Not yet.";
    }

    private record SlowOffice(Duration effort) implements Office {
        @Override
        public String write(String topic) {
            try {
                Thread.sleep(effort.toMillis());
            } catch (InterruptedException e) {
                throw new IllegalStateException("The office was closed.", e);
            }
            return "All about " + topic;
        }

        @Override
        public void remind(String topic) {
            System.out.println("Reminder: where is the report on " + topic + "?");
        }
    }
}
