package dev.dormouse.examples.demo;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.examples.trial.Mail;
import dev.dormouse.examples.trial.Trial;
import dev.dormouse.examples.trial.TrialWorkflow;
import dev.dormouse.store.RunStatus;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;

/** A process that executes workflows. The {@link Story} tells what it prints, and waits for some of its lines. */
final class Worker {
    static final String WORKFLOW_ID = "trial-ada";

    /** Longer than Dormouse waits in memory, which is 5 s by default: then a sleep is nothing but a row. */
    static final Duration SLEEP = Duration.ofSeconds(10);

    static final String READY = "Ready.";
    static final String ASLEEP = "It sleeps for " + SLEEP.toSeconds() + " s: no thread, no heap, one row in the file.";
    static final String DONE = "The workflow has ended. Its result: ";

    enum Task {
        START_THE_WORKFLOW,
        START_NOTHING
    }

    private Worker() {}

    public static void main(String[] args) throws InterruptedException {
        endWithParent();
        Path folder = Path.of(args[0]);
        try (Dormouse dormouse = Dormouse.builder()
                .store(Stage.storeIn(folder))
                .workflow(Trial.class, () -> new TrialWorkflow(SLEEP))
                .activities(Mail.class, new MailFile(folder))
                .open()) {
            say(READY);
            WorkflowHandle<String> run = Task.valueOf(args[1]) == Task.START_THE_WORKFLOW
                    ? start(dormouse)
                    : dormouse.find(WORKFLOW_ID, String.class).orElseThrow();
            say(DONE + run.result());
        }
    }

    private static WorkflowHandle<String> start(Dormouse dormouse) throws InterruptedException {
        say("Starts the workflow " + WORKFLOW_ID + ".");
        Trial trial = dormouse.workflow(Trial.class, WORKFLOW_ID);
        WorkflowHandle<String> run = dormouse.start(() -> trial.run("ada"));
        while (run.describe().status() != RunStatus.WAITING) {
            Thread.sleep(10);
        }
        say(ASLEEP);
        return run;
    }

    static void say(String line) {
        System.out.println(line);
    }

    /** Standard input is a pipe from the parent: it ends when the parent does, however that ended. */
    private static void endWithParent() {
        Thread watch = new Thread(() -> {
            try {
                System.in.transferTo(OutputStream.nullOutputStream());
            } catch (IOException e) {
                // as good as its end
            }
            Runtime.getRuntime().halt(1);
        });
        watch.setDaemon(true);
        watch.start();
    }
}
