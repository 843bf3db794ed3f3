package dev.dormouse.examples.demo;

/** What a play has counted so far. */
final class Figures {
    private int deaths;
    private int eventsReplayed;
    private int stepsRepeated;
    private int dueMeanwhile;
    private int mostWaiting;
    private int mostHeld;

    void died() {
        deaths++;
    }

    void recovered(Inquest inquest) {
        eventsReplayed += inquest.eventsReplayed();
        stepsRepeated += inquest.stepsRepeated();
    }

    void dueMeanwhile(int timers) {
        dueMeanwhile += timers;
    }

    void measured(Report report) {
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

    int dueMeanwhile() {
        return dueMeanwhile;
    }

    int mostWaiting() {
        return mostWaiting;
    }

    int mostHeld() {
        return mostHeld;
    }
}
