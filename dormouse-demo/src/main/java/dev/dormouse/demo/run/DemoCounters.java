package dev.dormouse.demo.run;

import dev.dormouse.demo.worker.WorkerReport;

/** The counters of a demo. */
public final class DemoCounters {
    private int deaths;
    private int eventsReplayed;
    private int stepsRepeated;
    private int dueMeanwhile;
    private int mostWaiting;
    private int mostHeld;

    void died() {
        deaths++;
    }

    void recovered(TakeoverTracker takeover) {
        eventsReplayed += takeover.eventsReplayed();
        stepsRepeated += takeover.stepsRepeated();
    }

    void dueMeanwhile(int timers) {
        dueMeanwhile += timers;
    }

    void measured(WorkerReport report) {
        mostWaiting = Math.max(mostWaiting, report.waiting());
        mostHeld = Math.max(mostHeld, report.held());
    }

    int deaths() {
        return deaths;
    }

    int eventsReplayed() {
        return eventsReplayed;
    }

    int stepsRepeated() {
        return stepsRepeated;
    }

    public int dueMeanwhile() {
        return dueMeanwhile;
    }

    public int mostWaiting() {
        return mostWaiting;
    }

    public int mostHeld() {
        return mostHeld;
    }
}
