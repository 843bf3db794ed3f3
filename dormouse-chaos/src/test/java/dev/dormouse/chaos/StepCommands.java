package dev.dormouse.chaos;

import dev.dormouse.Dormouse;
import java.time.Duration;

/** What a test can ask a worker of workflows that take and return a text, other than scripts. */
final class StepCommands {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Dormouse dormouse;

    StepCommands(Dormouse dormouse) {
        this.dormouse = dormouse;
    }

    /** point id: the worker stops there, to be killed */
    String arm(String[] words) {
        Hold.arm(Hold.Point.valueOf(words[0]), words[1]);
        return "ok";
    }

    /** type id input */
    String one(String[] words) {
        dormouse.start(words[0], words[1], String.class, words[2].replace('+', ' '));
        return "ok";
    }

    /** type prefix number input */
    String several(String[] words) throws Exception {
        WorkerCommands.inParallel(
                Integer.parseInt(words[2]), i -> dormouse.start(words[0], words[1] + i, String.class, words[3]));
        return "ok";
    }

    /** id: waits for the result */
    String end(String[] words) {
        return dormouse.find(words[0], String.class).orElseThrow().result(PATIENCE);
    }

    /** id: what is known of its one open step */
    String step(String[] words) {
        return dormouse.find(words[0], String.class)
                .orElseThrow()
                .describe()
                .steps()
                .toString();
    }
}
