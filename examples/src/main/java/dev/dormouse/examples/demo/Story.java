package dev.dormouse.examples.demo;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/**
 * A workflow takes a step and falls asleep, its process is killed, and another process brings it to its end. Then the
 * {@link Evidence}: the history in the store, and what the steps did.
 */
final class Story {
    private static final int DIED_OF_SIGNAL_9 = 128 + 9;

    private final Stage stage;
    private final Narrator narrator;

    Story(Stage stage, Narrator narrator) {
        this.stage = stage;
        this.narrator = narrator;
    }

    void tell() throws IOException, InterruptedException {
        narrator.say("A workflow sends a mail, sleeps, and sends another. Its process dies in between.\n");

        WorkerProcess first = stage.startWorker(Worker.Task.START_THE_WORKFLOW);
        narrator.tell("A worker starts: process " + first.pid() + ". It keeps workflows in an SQLite file.");
        listen(first, Worker.ASLEEP);
        pause(Duration.ofSeconds(2));

        Instant crash = Instant.now();
        kill(first);
        pause(Duration.ofSeconds(1));

        WorkerProcess second = stage.startWorker(Worker.Task.START_NOTHING);
        narrator.tell("A new worker starts: process " + second.pid() + ". All it gets is the file.");
        listen(second, Worker.READY);
        Instant ready = Instant.now();
        listen(second, Worker.DONE);
        second.waitForEnd();

        Evidence evidence = new Evidence(stage, narrator);
        evidence.showHistory(new Evidence.Crash(first.pid(), crash, ready));
        evidence.showMails(first.pid(), second.pid());
    }

    private void listen(WorkerProcess worker, String last) throws IOException {
        worker.listen(last, line -> narrator.tell("  [" + worker.pid() + "] " + line));
    }

    private void kill(WorkerProcess worker) {
        narrator.tellOfCrash(Instant.now(), "kill -9 " + worker.pid());
        worker.kill();
        int exitCode = worker.waitForEnd();
        WentWrong.unless(
                exitCode == DIED_OF_SIGNAL_9,
                "Expected worker " + worker.pid() + " to die of signal 9, but it ended with exit code " + exitCode
                        + ".");
        narrator.tell("No process is left. The workflow is a row in the file.");
    }

    private static void pause(Duration length) throws InterruptedException {
        Thread.sleep(length.toMillis());
    }
}
