package dev.dormouse.examples.demo;

import dev.dormouse.Dormouse;
import dev.dormouse.HistoryEvent;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;

/** Shows what the story has left behind, and checks it. */
final class Evidence {
    private static final Pattern INSTANT = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z");

    private final Stage stage;
    private final Narrator narrator;

    /** The death of one worker, and when the next one was ready. */
    record Crash(long pid, Instant at, Instant repairedAt) {}

    Evidence(Stage stage, Narrator narrator) {
        this.stage = stage;
        this.narrator = narrator;
    }

    void showHistory(Crash crash) {
        List<HistoryEvent> history = history();
        narrator.say("\nThe history of " + Worker.WORKFLOW_ID + " in the file, and the crash that it never noticed:\n");
        for (HistoryEvent event : history) {
            if (crash.at().isBefore(event.at()) && isFirstAfter(crash, event, history)) {
                narrator.tellOfCrash(crash.at(), "     ---- kill -9 " + crash.pid() + " ----");
            }
            narrator.tell(event.at(), "  " + event.seq() + "  " + withSeconds(event.summary()));
        }
        checkTimer(history, crash);
    }

    private List<HistoryEvent> history() {
        try (Dormouse dormouse = Dormouse.builder().store(stage.store()).open()) {
            return dormouse.find(Worker.WORKFLOW_ID, String.class).orElseThrow().history();
        }
    }

    private static boolean isFirstAfter(Crash crash, HistoryEvent event, List<HistoryEvent> history) {
        return event.seq() > 0 && !history.get(event.seq() - 1).at().isAfter(crash.at());
    }

    /** A summary with the story's seconds in place of instants. */
    private String withSeconds(String summary) {
        return INSTANT.matcher(summary).replaceAll(found -> seconds(Instant.parse(found.group())));
    }

    private String seconds(Instant at) {
        return narrator.seconds(at).strip();
    }

    private void checkTimer(List<HistoryEvent> history, Crash crash) {
        Instant due = find("TimerScheduled", history).at().plus(Worker.SLEEP);
        Instant fired = find("TimerFired", history).at();
        WentWrong.unless(
                !fired.isBefore(due),
                "Expected the timer at " + seconds(due) + " or later, but it fired at " + seconds(fired) + ".");
        WentWrong.unless(
                crash.at().isBefore(due),
                "Expected to kill the worker before " + seconds(due) + ", but it was too late. Try again.");
        long late = Duration.between(due, fired).toMillis();
        String why = crash.repairedAt().isAfter(due) ? ", as the new worker was not there earlier" : "";
        narrator.say("\nThe timer fired " + late + " ms after its time" + why + ".");
    }

    private static HistoryEvent find(String kind, List<HistoryEvent> history) {
        return history.stream()
                .filter(event -> event.kind().equals(kind))
                .findFirst()
                .orElseThrow(() -> new WentWrong("Expected " + kind + " in the history, but it is not there."));
    }

    /** One mail was sent before the crash, the other after it, and none twice. */
    void showMails(long first, long second) throws IOException {
        List<String> mails = stage.mails().lines();
        narrator.say("\nEvery mail that was sent:\n");
        mails.forEach(mail -> narrator.say("  " + mail));
        List<String> expected =
                List.of(MailFile.line(first, "welcome, ada"), MailFile.line(second, "your trial is over, ada"));
        WentWrong.unless(mails.equals(expected), "Expected " + expected + ", but found the mails above.");
        narrator.say("\nEach step ran once. The workflow itself is plain Java: see");
        narrator.say("examples/src/main/java/dev/dormouse/examples/trial/TrialWorkflow.java");
    }
}
