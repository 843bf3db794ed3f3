package dev.dormouse.sim;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.CancelledException;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.ParentClose;
import dev.dormouse.internal.replay.OpenWait;
import dev.dormouse.internal.replay.PendingCall;
import dev.dormouse.internal.replay.Program;
import dev.dormouse.internal.replay.ReceivedMessage;
import dev.dormouse.internal.replay.Replay;
import dev.dormouse.internal.replay.Scope;
import dev.dormouse.internal.replay.WaitEnd;
import dev.dormouse.internal.run.StepAttempt;
import dev.dormouse.internal.run.StepPolicy;
import dev.dormouse.testing.memory.UserTable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;

/**
 * A small workflow made from a seed, whose result can be computed without running it. It takes steps, sleeps, waits for
 * mail with and without a deadline, also one that mail moves, forks coroutines that do the same, cancels some of what it
 * began, has a child, continues as a new run; in the end it has taken all its mail. It answers updates on the way.
 */
final class RandomProgram implements Program {
    /** How many signals every run gets. */
    static final int MAIL = 3;

    private static final int FORKS = 2;
    private static final int KINDS = 8;

    private static final StepPolicy RETRIED =
            new StepPolicy(Duration.ofMillis(700), 2, Duration.ofSeconds(3), 0, 0, null, Set.of(), null, null, null);

    private final SideEffects effects;

    /** How a step comes to its effect. */
    private interface Manner {
        String execute(StepAttempt attempt, Callable<String> effect) throws Exception;
    }

    /** The effect of a step, which is called when the step begins, may take time, and returns the result. */
    interface SideEffects {
        String execute(Replay run, String step, Seen seen);
    }

    /** How many items of mail, of timers that fired and of results of steps a run had seen when a step was begun. */
    record Seen(int mail, int timers, int results) {}

    /**
     * What a run is to do.
     *
     * @param role "child", or "again" for one that continues another; empty for the first
     * @param done what the run that it continues has come to
     * @param mail what that run has taken
     */
    private record Task(long seed, String role, String done, List<String> mail) {
        static Task of(Payload input) {
            String[] parts = new String(input.bytes(), StandardCharsets.UTF_8).split("[|]", -1);
            List<String> mail = parts[3].isEmpty() ? List.of() : List.of(parts[3].split(" "));
            return new Task(Long.parseLong(parts[0]), parts[1], parts[2], mail);
        }

        Payload toInput() {
            return text(seed + "|" + role + "|" + done + "|" + String.join(" ", mail));
        }

        /** Decisions that are the same in the run and in what is expected of it. */
        boolean decides(int what, int oneIn) {
            return new Random(seed * 31 + what).nextInt(oneIn) == 0;
        }

        boolean hasChild() {
            return role.isEmpty() && decides(1, 3);
        }

        boolean continues() {
            return role.isEmpty() && decides(2, 3);
        }
    }

    RandomProgram(SideEffects effects) {
        this.effects = effects;
    }

    static Payload input(long seed) {
        return new Task(seed, "", "", List.of()).toInput();
    }

    /** What the program for this seed returns. */
    static String expected(long seed) {
        Task task = new Task(seed, "", "", List.of());
        StringBuilder mail = new StringBuilder();
        for (int i = 0; i < MAIL; i++) {
            mail.append(i).append(' ');
        }
        return expectedWork(task) + (task.continues() ? "; again" : "") + "; " + mail;
    }

    private static String expectedWork(Task task) {
        List<String> parts = new ArrayList<>();
        Random random = new Random(task.seed());
        int forks = random.nextInt(FORKS);
        parts.add(expectedLine(random, "m"));
        for (int i = 0; i < forks; i++) {
            parts.add(expectedLine(new Random(task.seed() + i + 1), "f" + i));
        }
        if (task.hasChild()) {
            parts.add("child " + expectedWork(new Task(task.seed() + 5, "child", "", List.of())));
        }
        return String.join("; ", parts);
    }

    private static String expectedLine(Random random, String name) {
        StringBuilder text = new StringBuilder();
        int length = 1 + random.nextInt(5);
        for (int i = 0; i < length; i++) {
            if (random.nextInt(KINDS) < 2) {
                text.append(name).append(i).append("! ");
            }
            random.nextInt();
        }
        return text.toString();
    }

    @Override
    public Callable<Payload> prepare(Replay run) {
        Task task = Task.of(run.started().input().get(0));
        RunState state = new RunState(run, task);
        run.onMail(state::read);
        run.onQuery((name, arguments) -> text(String.join(" ", state.mail)));
        return state::work;
    }

    private static Payload text(String text) {
        return new Payload("text", text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Payload payload) {
        return new String(payload.bytes(), StandardCharsets.UTF_8);
    }

    /** One run at work. */
    private final class RunState {
        private final Replay run;
        private final Task task;
        private final List<String> mail;
        private Instant moving = Instant.EPOCH;
        private int cancelled;
        private int timers;
        private int results;

        RunState(Replay run, Task task) {
            this.run = run;
            this.task = task;
            this.mail = new ArrayList<>(task.mail());
        }

        void read(ReceivedMessage letter) {
            if (letter.message() instanceof Message.Signal signal) {
                String number = text(signal.arguments().get(0));
                mail.add(number);
                moving = moving.plusMillis(500);
                if (task.decides(10 + Integer.parseInt(number), 3)) {
                    step("h" + number);
                }
            } else if (letter.message() instanceof Message.Update update) {
                String number = text(update.arguments().get(0));
                if (task.decides(20 + Integer.parseInt(number), 2)) {
                    run.sleep(Duration.ofMillis(700));
                }
                run.answer(letter.position(), false, text("answer " + number), null);
            }
        }

        Payload work() {
            if (task.role().equals("again")) {
                return finish(task.done() + "; again");
            }
            Random random = new Random(task.seed());
            int forks = random.nextInt(FORKS);
            List<String> forked = fork(forks);
            List<String> parts = new ArrayList<>();
            parts.add(line(random, "m"));
            run.until(() -> !forked.contains(null));
            parts.addAll(forked);
            if (task.hasChild()) {
                parts.add("child " + child());
            }
            String work = String.join("; ", parts);
            if (task.continues()) {
                throw run.continueAsNew(null, List.of(new Task(task.seed(), "again", work, mail).toInput()), List.of());
            }
            return task.role().equals("child") ? text(work) : finish(work);
        }

        private Payload finish(String work) {
            run.await((Instant) null, () -> mail.size() >= MAIL);
            return text(work + "; " + String.join(" ", mail) + " ");
        }

        private String child() {
            Payload input = new Task(task.seed() + 5, "child", "", List.of()).toInput();
            String id = run.run().workflowId() + "-child";
            PendingCall child = run.child(id, run.started().type(), List.of(input), ParentClose.TERMINATE, null);
            run.until(child::isOver);
            if (child.end() instanceof Event.RunCompleted completed) {
                return text(completed.result());
            }
            throw new IllegalStateException("the child came to " + child.end());
        }

        private List<String> fork(int forks) {
            List<String> results = new ArrayList<>();
            for (int i = 0; i < forks; i++) {
                int number = i;
                results.add(null);
                run.async("fork", () -> results.set(number, line(new Random(task.seed() + number + 1), "f" + number)));
            }
            return results;
        }

        private String line(Random random, String name) {
            StringBuilder text = new StringBuilder();
            int length = 1 + random.nextInt(5);
            for (int i = 0; i < length; i++) {
                int kind = random.nextInt(KINDS);
                int amount = random.nextInt();
                if (kind < 2) {
                    text.append(step(name + i)).append(' ');
                } else {
                    pause(kind, Duration.ofMillis(Math.floorMod(amount, 7_000)));
                }
            }
            return text.toString();
        }

        private String step(String name) {
            return switch (Math.floorMod(name.hashCode() + (int) task.seed(), 5)) {
                case 0 -> step(name, false, this::failAtFirst);
                case 1 -> step(name, false, this::pauseAtFirst);
                case 2 ->
                    step(name, true, (attempt, effect) -> {
                        attempt.connection()
                                .unwrap(UserTable.class)
                                .add(run.run().runId() + " " + name);
                        return effect.call();
                    });
                default -> step(name, false, (attempt, effect) -> effect.call());
            };
        }

        private String step(String name, boolean inTransaction, Manner manner) {
            Seen seen = new Seen(mail.size() - task.mail().size(), timers, results);
            Payload result = run.step(
                            name,
                            RETRIED,
                            inTransaction,
                            attempt -> text(manner.execute(attempt, () -> effects.execute(run, name, seen))))
                    .payload();
            results++;
            return text(result);
        }

        private String failAtFirst(StepAttempt attempt, Callable<String> effect) throws Exception {
            if (attempt.number() == 1) {
                throw new IllegalStateException("once more");
            }
            return effect.call();
        }

        private String pauseAtFirst(StepAttempt attempt, Callable<String> effect) throws Exception {
            if (attempt.checkpoint() == null) {
                attempt.keep(text("seen"));
                attempt.heartbeat(text("paused"));
                attempt.pause("for a while", Duration.ofMillis(1_500));
                return "not counted";
            }
            return effect.call();
        }

        private void pause(int kind, Duration time) {
            int count = mail.size();
            switch (kind) {
                case 2 -> {
                    run.sleep(time.plusMillis(1));
                    timers++;
                }
                case 3 -> run.sleepUntil(run.now().plus(time));
                case 4 -> run.await(run.now().plus(time), () -> mail.size() > count);
                case 5 -> {
                    moving = run.now().plus(time);
                    run.await(OpenWait.Kind.TIMER, "", WaitEnd.of(() -> moving), () -> false);
                }
                case 6 -> cancelSleep(time);
                default -> cancelStep(time);
            }
        }

        /** A step that may be over before it is cancelled, or not. */
        private void cancelStep(Duration time) {
            boolean[] over = {false};
            String name = "x" + ++cancelled;
            Scope scope = run.async("stepper", () -> {
                try {
                    step(name);
                } finally {
                    over[0] = true;
                }
            });
            run.await(run.now().plus(time.dividedBy(4)), () -> over[0]);
            run.cancel(scope, "no need");
            run.until(() -> over[0]);
        }

        /** Two timers, one of which is cancelled, and a coroutine that is cancelled in its sleep. */
        private void cancelSleep(Duration time) {
            PendingCall first = run.timer(time.dividedBy(2).plusMillis(1));
            PendingCall second = run.timer(time.plusMillis(2));
            boolean[] woken = {false};
            Scope sleeper = run.async("sleeper", () -> {
                try {
                    run.sleep(Duration.ofDays(1));
                } catch (CancelledException cancelled) {
                    woken[0] = true;
                    throw cancelled;
                }
            });
            run.until(first::isOver);
            second.cancel("no need");
            run.cancel(sleeper, "no need");
            run.until(() -> woken[0]);
        }
    }
}
