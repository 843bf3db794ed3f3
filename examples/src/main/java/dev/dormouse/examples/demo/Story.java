package dev.dormouse.examples.demo;

import dev.dormouse.examples.demo.News.Tone;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * The demo where nobody presses keys: twenty orders, a worker that dies of kill -9, approvals, a sleep that is cut short, a
 * time in which nobody is there at all. In the end the {@link Audit}.
 */
final class Story {
    private static final Duration MOMENT = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int APPROVALS = 3;
    private static final int DUE_WHILE_AWAY = 3;

    private final Play play;
    private final Narrator narrator;
    private final Set<Integer> forwarded = new HashSet<>();

    Story(Play play, Narrator narrator) {
        this.play = play;
        this.narrator = narrator;
    }

    void tell() throws IOException, InterruptedException {
        play.open();
        until("the workers are ready", () -> play.crew().isComplete());
        for (int i = 0; i < Play.ORDERS; i++) {
            play.addOrder();
        }
        narrator.tell(Tone.PLAIN, "Twenty orders: reserve, charge, wait for approval, ship, sleep, survey.");
        until("several orders wait and some are executed", () -> waiting() >= 6 && executing() >= 2);
        tellOfThreads();

        WentWrong.unless(play.kill(), "Expected a worker to kill, but there is none.");
        until("others go on with what it did", () -> !play.isRecovering());

        for (int i = 0; i < APPROVALS; i++) {
            until("an order waits for approval", () -> play.approve().isPresent());
        }
        until("an order sleeps", this::forward);
        until("its sleep is over", this::isForwarded);
        leaveForAWhile();
        until("all orders have ended", this::haveAllEnded);
        play.close();
    }

    private boolean forward() {
        play.forward().ifPresent(forwarded::add);
        return !forwarded.isEmpty();
    }

    private boolean isForwarded() {
        return forwarded.stream()
                .allMatch(number -> play.order(number)
                        .filter(order -> order.state() == OrderView.State.DELIVERY)
                        .isEmpty());
    }

    private void leaveForAWhile() throws IOException, InterruptedException {
        play.close();
        narrator.tell(Tone.DEATH, "All workers have been stopped. Nobody is there; the alarms of the orders are rows.");
        until("some timers have come due", () -> due() >= DUE_WHILE_AWAY);
        play.open();
        until("the workers are ready", () -> play.crew().isComplete() && !play.isRecovering());
    }

    private void tellOfThreads() {
        int held = play.crew().workers().stream()
                .mapToInt(worker -> worker.report().held())
                .sum();
        narrator.tell(
                Tone.PLAIN,
                Texts.count(held, "thread") + " held by " + waiting() + " waiting orders; " + executing()
                        + " are executed.");
    }

    private long waiting() {
        return count(order -> order.state().isWaiting());
    }

    private long executing() {
        return play.crew().workers().stream()
                .mapToInt(worker -> worker.report().executing().size())
                .sum();
    }

    private long due() {
        Instant now = Instant.now();
        return count(order -> order.isDue(now));
    }

    private boolean haveAllEnded() {
        return count(order -> !order.isOpen()) == play.rows().size();
    }

    private long count(Predicate<OrderView> which) {
        return play.rows().stream()
                .flatMap(number -> play.order(number).stream())
                .filter(which)
                .count();
    }

    private void until(String what, BooleanSupplier holds) throws IOException, InterruptedException {
        Instant end = Instant.now().plus(PATIENCE);
        while (!holds.getAsBoolean()) {
            WentWrong.unless(
                    Instant.now().isBefore(end),
                    "Expected that " + what + " within " + PATIENCE.toSeconds() + " s, but it was not so.");
            play.goOn(MOMENT);
        }
    }

    /** What is left of it, in the store and in the ledger. */
    void check(Settings settings, Ledger ledger) {
        Audit audit = new Audit(settings.pace(), forwarded);
        audit.check(settings, play.rows());
        Set<Integer> orders = Set.copyOf(play.rows());
        long executed = ledger.entries().stream()
                .filter(entry -> entry.what() == Ledger.What.BEGAN && orders.contains(entry.order()))
                .count();
        long repeated = executed - audit.results() - audit.failures();
        WentWrong.unless(
                repeated >= 0, "Expected every result to come from a step that was executed, but some do not.");
        Figures figures = play.figures();
        narrator.say("\nChecked in the store:");
        narrator.say("  " + play.rows().size() + " orders, each ended once; none is lost");
        narrator.say("  " + audit.results() + " results of steps, each counted once; " + executed + " steps executed, "
                + audit.failures() + " failed and tried again, " + repeated + " repeated after kill -9");
        narrator.say("  " + audit.timers() + " timers, none early; " + figures.dueMeanwhile()
                + " of them came due while no worker was there");
        narrator.say("  " + figures.mostHeld() + " threads held by up to " + figures.mostWaiting() + " waiting orders");
        narrator.say(
                "\nThe workflow is plain Java: examples/src/main/java/dev/dormouse/examples/demo/OrderWorkflow.java");
    }
}
