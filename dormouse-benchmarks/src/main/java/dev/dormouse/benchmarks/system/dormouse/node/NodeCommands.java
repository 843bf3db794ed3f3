package dev.dormouse.benchmarks.system.dormouse.node;

import dev.dormouse.Dormouse;
import dev.dormouse.benchmarks.load.Crowd;
import dev.dormouse.benchmarks.load.FiringBoard;
import dev.dormouse.benchmarks.load.Firings;
import dev.dormouse.benchmarks.load.Load;
import dev.dormouse.benchmarks.load.Pause;
import dev.dormouse.benchmarks.load.Staircase;
import dev.dormouse.benchmarks.measure.Percentiles;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** What a node can be told to do. */
final class NodeCommands {
    private static final int STARTERS = 500;
    private static final Duration LEAD = Duration.ofSeconds(2);

    private final Dormouse dormouse;
    private final HeldRuns held;
    private final Sleepers sleepers;
    private final FiringBoard board = new FiringBoard();

    NodeCommands(Dormouse dormouse, HeldRuns held, String url) {
        this.dormouse = dormouse;
        this.held = held;
        this.sleepers = new Sleepers(url);
        dormouse.timers().handle("fire", Integer.class, number -> board.fired(number));
    }

    /** Does what a line says and returns what there is to say. */
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
        Load load = new Load(inFlight, id -> start(NodeCode.STEP, id));
        return String.valueOf(load.run(warmUp, window).perSecond());
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
        Crowd.each(STARTERS, runs, i -> dormouse.start(type, prefix + i, String.class, 1));
    }

    private String lateness(int timers, Duration over) throws Exception {
        List<Instant> due = Staircase.of(Instant.now().plus(LEAD), timers, over);
        Firings waiting = board.expect(0, due);
        Crowd.each(STARTERS, timers, i -> dormouse.timers().at(due.get(i), "fire", i));
        waiting.await(LEAD.plus(over).plusMinutes(1));
        Percentiles late = new Percentiles(waiting.lateness());
        return late.at(50) + " " + late.at(99) + " " + late.max() + " " + waiting.early();
    }
}
