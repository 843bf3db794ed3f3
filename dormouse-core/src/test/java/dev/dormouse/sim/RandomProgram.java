package dev.dormouse.sim;

import dev.dormouse.codec.Payload;
import dev.dormouse.replay.Program;
import dev.dormouse.replay.Replay;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A small workflow made from a seed, whose result can be computed without running it. It takes steps, sleeps, waits for
 * mail with and without a deadline, and forks coroutines that do the same; in the end it has taken all its mail.
 */
final class RandomProgram implements Program {
    /** How many mail items every run gets. */
    static final int MAIL = 3;

    private static final int FORKS = 2;

    private final SideEffects effects;

    /** What a step does to the world: told when it begins, it may take its time, and returns the result. */
    interface SideEffects {
        String execute(Replay run, String step);
    }

    RandomProgram(SideEffects effects) {
        this.effects = effects;
    }

    /** What the program for this seed returns. */
    static String expected(long seed) {
        List<String> parts = new ArrayList<>();
        Random random = new Random(seed);
        int forks = random.nextInt(FORKS);
        parts.add(expectedLine(random, "m"));
        for (int i = 0; i < forks; i++) {
            parts.add(expectedLine(new Random(seed + i + 1), "f" + i));
        }
        StringBuilder mail = new StringBuilder();
        for (int i = 0; i < MAIL; i++) {
            mail.append(i).append(' ');
        }
        return String.join("; ", parts) + "; " + mail;
    }

    private static String expectedLine(Random random, String name) {
        StringBuilder text = new StringBuilder();
        int length = 1 + random.nextInt(5);
        for (int i = 0; i < length; i++) {
            if (random.nextInt(5) < 2) {
                text.append(name).append(i).append("! ");
            }
            random.nextInt();
        }
        return text.toString();
    }

    @Override
    public Payload run(Replay run) {
        long seed = Long.parseLong(new String(run.started().input().get(0).bytes(), StandardCharsets.UTF_8));
        List<String> mail = new ArrayList<>();
        run.onMail(item -> mail.add(new String(item.payload(), StandardCharsets.UTF_8)));
        Random random = new Random(seed);
        int forks = random.nextInt(FORKS);
        List<String> forked = fork(run, seed, forks, mail);
        List<String> parts = new ArrayList<>();
        parts.add(line(run, random, "m", mail));
        run.await(null, () -> !forked.contains(null));
        parts.addAll(forked);
        run.await(null, () -> mail.size() >= MAIL);
        String text = String.join("; ", parts) + "; " + String.join(" ", mail) + " ";
        return new Payload("text", text.getBytes(StandardCharsets.UTF_8));
    }

    private List<String> fork(Replay run, long seed, int forks, List<String> mail) {
        List<String> results = new ArrayList<>();
        for (int i = 0; i < forks; i++) {
            int number = i;
            results.add(null);
            run.async("fork", () -> results.set(number, line(run, new Random(seed + number + 1), "f" + number, mail)));
        }
        return results;
    }

    private String line(Replay run, Random random, String name, List<String> mail) {
        StringBuilder text = new StringBuilder();
        int length = 1 + random.nextInt(5);
        for (int i = 0; i < length; i++) {
            int kind = random.nextInt(5);
            int amount = random.nextInt();
            if (kind < 2) {
                text.append(step(run, name + i)).append(' ');
            } else {
                pause(run, kind, Duration.ofMillis(Math.floorMod(amount, 7_000)), mail);
            }
        }
        return text.toString();
    }

    private String step(Replay run, String name) {
        Payload result = run.step(
                name, () -> new Payload("text", effects.execute(run, name).getBytes(StandardCharsets.UTF_8)));
        return new String(result.bytes(), StandardCharsets.UTF_8);
    }

    private static void pause(Replay run, int kind, Duration time, List<String> mail) {
        switch (kind) {
            case 2 -> run.sleep(time);
            case 3 -> run.sleepUntil(run.now().plus(time));
            default -> {
                int count = mail.size();
                run.await(run.now().plus(time), () -> mail.size() > count);
            }
        }
    }
}
