package dev.dormouse.chaos.process;

import dev.dormouse.Dormouse;
import dev.dormouse.chaos.workload.Breakpoint;
import java.time.Duration;

/** The worker commands for workflows, other than scripts, that take and return a text. */
public final class StepCommands {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Dormouse dormouse;

    public StepCommands(Dormouse dormouse) {
        this.dormouse = dormouse;
    }

    /** point id: arms a breakpoint, at which the worker stops to be killed */
    public String arm(String[] words) {
        Breakpoint.arm(Breakpoint.Point.valueOf(words[0]), words[1]);
        return "ok";
    }

    /** type id input */
    public String one(String[] words) {
        dormouse.start(words[0], words[1], String.class, words[2].replace('+', ' '));
        return "ok";
    }

    /** type prefix number input */
    public String several(String[] words) throws Exception {
        WorkerCommands.inParallel(
                Integer.parseInt(words[2]), i -> dormouse.start(words[0], words[1] + i, String.class, words[3]));
        return "ok";
    }

    /** id: waits for the result */
    public String end(String[] words) {
        return dormouse.find(words[0], String.class).orElseThrow().result(PATIENCE);
    }

    /** id: answers with the state of its open step */
    public String step(String[] words) {
        return dormouse.find(words[0], String.class)
                .orElseThrow()
                .describe()
                .steps()
                .toString();
    }
}
