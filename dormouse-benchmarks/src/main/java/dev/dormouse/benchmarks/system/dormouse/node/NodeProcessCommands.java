package dev.dormouse.benchmarks.system.dormouse.node;

import dev.dormouse.Dormouse;
import dev.dormouse.benchmarks.load.ClosedLoopLoad;
import dev.dormouse.benchmarks.load.EvenInstants;
import dev.dormouse.benchmarks.load.FiringCounter;
import dev.dormouse.benchmarks.load.ParallelThreads;
import dev.dormouse.benchmarks.load.Pause;
import dev.dormouse.benchmarks.load.TimerFirings;
import dev.dormouse.benchmarks.measure.Percentiles;
import dev.dormouse.benchmarks.measure.ResourceUsage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The commands of a node process. */
final class NodeProcessCommands {
    private static final int STARTERS = 500;
    private static final Duration LEAD = Duration.ofSeconds(2);

    private final Dormouse dormouse;
    private final HeldRuns held;
    private final SleepingRunCount sleepers;
    private final FiringCounter board = new FiringCounter();

    NodeProcessCommands(Dormouse dormouse, HeldRuns held, String url) {
        this.dormouse = dormouse;
        this.held = held;
        this.sleepers = new SleepingRunCount(url);
        dormouse.timers().handle("fire", Integer.class, number -> board.fired(number));
    }

    /** Executes the command of a line. Returns the answer. */
    String obey(String[] words) throws Exception {
        return switch (words[0]) {
            case "load" -> load(number(words, 1), millis(words, 2), millis(words, 3));
            case "hold" -> hold(number(words, 1));
            case "resumed" -> String.valueOf(held.begun());
            case "sleep" -> sleep(number(words, 1));
            case "lateness" -> lateness(number(words, 1), millis(words, 2));
            case "usage" -> ProcessUsage.now();
            default -> throw new IllegalArgumentException("Expected a command, but got '" + words[0] + "'.");
        };
    }

    private static int number(String[] words, int place) {
        return Integer.parseInt(words[place]);
    }

    private static Duration millis(String[] words, int place) {
        return Duration.ofMillis(Long.parseLong(words[place]));
    }

    private String load(int inFlight, Duration warmUp, Duration window) throws Exception {
        ClosedLoopLoad load = new ClosedLoopLoad(inFlight, id -> start(NodeCode.STEP, id));
        return String.valueOf(load.run(warmUp, window, () -> ResourceUsage.now(Optional.empty()))
                .perSecond());
    }

    private void start(String type, String id) {
        dormouse.start(type, id, String.class, 1).result();
    }

    private String hold(int runs) throws Exception {
        held.hold();
        begin(NodeCode.HOLD, runs);
        while (held.begun() < runs) {
            Pause.of(Duration.ofMillis(10));
        }
        return "";
    }

    private String sleep(int runs) throws Exception {
        int asleep = sleepers.count();
        begin(NodeCode.SLEEP, runs);
        while (sleepers.count() < asleep + runs) {
            Pause.of(Duration.ofMillis(200));
        }
        return "";
    }

    private void begin(String type, int runs) throws Exception {
        String prefix = type + "-" + UUID.randomUUID().toString().substring(0, 8) + "-";
        ParallelThreads.each(STARTERS, runs, i -> dormouse.start(type, prefix + i, String.class, 1));
    }

    private String lateness(int timers, Duration over) throws Exception {
        List<Instant> due = EvenInstants.of(Instant.now().plus(LEAD), timers, over);
        TimerFirings waiting = board.expect(0, due);
        ParallelThreads.each(STARTERS, timers, i -> dormouse.timers().at(due.get(i), "fire", i));
        waiting.await(LEAD.plus(over).plusMinutes(1));
        Percentiles late = new Percentiles(waiting.lateness());
        return late.at(50) + " " + late.at(99) + " " + late.max() + " " + waiting.early();
    }
}
