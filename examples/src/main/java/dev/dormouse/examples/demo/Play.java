package dev.dormouse.examples.demo;

import dev.dormouse.examples.demo.News.Tone;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * What goes on, whoever watches: twenty orders, the workers that execute them, and what can be done to both. One thread
 * performs it; others hand in what they have to say by {@link #happen}.
 */
final class Play {
    static final int ORDERS = 20;

    private static final Duration ASK_AGAIN = Duration.ofSeconds(3);
    private static final int KILLED = 128 + 9;

    /** Something to do on the thread of the play. */
    interface Happening {
        void happen() throws IOException;
    }

    private final Crew crew;
    private final Ledger ledger;
    private final News news;
    private final BlockingQueue<Happening> happenings = new LinkedBlockingQueue<>();
    private final Map<Integer, OrderView> orders = new TreeMap<>();
    private final Map<Integer, Instant> asked = new HashMap<>();
    private final Map<Integer, Integer> touched = new HashMap<>();
    private final List<Integer> rows = new ArrayList<>();
    private final List<Inquest> inquests = new ArrayList<>();
    private final Figures figures = new Figures();
    private Optional<Homecoming> homecoming = Optional.empty();
    private Instant lastStart = Instant.EPOCH;
    private boolean isOpen;
    private int last;

    Play(Crew crew, Ledger ledger, News news) {
        this.crew = crew;
        this.ledger = ledger;
        this.news = news;
    }

    /** Somebody has something to do on the thread of the play. */
    void happen(Happening happening) {
        happenings.add(happening);
    }

    /** Goes on for a moment. */
    void goOn(Duration time) throws InterruptedException, IOException {
        Instant end = Instant.now().plus(time);
        for (long left = time.toMillis();
                left > 0;
                left = Duration.between(Instant.now(), end).toMillis()) {
            Happening happening = happenings.poll(left, TimeUnit.MILLISECONDS);
            if (happening != null) {
                happening.happen();
            }
        }
        hireIfNobodyIsLeft();
        look();
        startMissing();
    }

    /** Opens the shop, or opens it again. */
    void open() throws IOException {
        isOpen = true;
        if (!crew.settings().isSqlite()) {
            news.tell(
                    Tone.PLAIN,
                    "Two workers share the work. A lease lasts " + Settings.LEASE.toSeconds()
                            + " s here, so that takeovers are quick.");
        }
        fill();
    }

    private void fill() throws IOException {
        for (WorkerProcess worker :
                crew.fill((from, message) -> happen(() -> heard(from, message)), ended -> happen(() -> left(ended)))) {
            news.tell(Tone.PLAIN, "Worker " + worker.name() + " starts: process " + worker.pid() + ".");
        }
    }

    /** All workers end in good order; what they have not done yet stays in the store. */
    void close() {
        isOpen = false;
        crew.stop();
        orders.values().removeIf(order -> !rows.contains(order.number()));
    }

    private void heard(WorkerProcess worker, Wire.Message message) throws IOException {
        switch (message.word()) {
            case READY -> ready(worker, message.as(Inventory.class));
            case REPORT -> reported(worker, message.as(Report.class));
            case DASHBOARD -> serves(worker, message.as(String.class));
            case SAY -> news.tell(Tone.PLAIN, message.as(String.class));
            case GIVE_UP -> throw new WentWrong(message.as(String.class));
            default -> throw new IllegalArgumentException("Expected a worker's word, but got " + message.word() + ".");
        }
    }

    private void ready(WorkerProcess worker, Inventory found) throws IOException {
        worker.becameReady();
        if (worker.isAlone() && inquests.isEmpty()) {
            fill();
        }
        if (!worker.isAlone() || found.known() == 0) {
            return;
        }
        WentWrong.unless(
                found.lost().isEmpty(), "Expected all orders in the store, but these are not: " + found.lost() + ".");
        homecoming = Optional.of(new Homecoming(found));
        if (inquests.isEmpty()) {
            tellOfReturn(found);
        } else {
            found.executing().forEach(this::addOrphan);
            tellOfRestart(worker, found);
        }
        figures.dueMeanwhile(found.due().size());
        last = Math.max(last, found.highest());
        found.open().stream().sorted().filter(number -> !rows.contains(number)).forEach(rows::add);
    }

    private void serves(WorkerProcess worker, String url) {
        worker.serves(url);
        if (crew.has(worker)) {
            news.tell(Tone.PLAIN, "The dashboard of worker " + worker.name() + ": " + url);
        }
    }

    private void tellOfReturn(Inventory found) {
        news.tell(
                Tone.RECOVERY,
                "Found " + Texts.count(found.known(), "order") + ": "
                        + (found.known() - found.open().size()) + " ended, "
                        + found.open().size()
                        + " open, none lost; " + Texts.count(found.due().size(), "timer") + " came due meanwhile.");
    }

    private void tellOfRestart(WorkerProcess worker, Inventory found) {
        news.tell(
                Tone.RECOVERY,
                "Worker " + worker.name() + " is back after "
                        + Texts.seconds(Duration.between(worker.startedAt(), Instant.now())) + ": "
                        + found.open().size() + " orders open, "
                        + found.executing().size() + " were under way, "
                        + Texts.count(found.due().size(), "timer") + " due.");
    }

    private void reported(WorkerProcess worker, Report report) {
        if (crew.has(worker)) {
            worker.reported(report);
            report.replays().forEach(replay -> replayed(worker, replay));
            report.orders().forEach(order -> orders.put(order.number(), order));
            report.orders().stream().filter(this::isHomeless).forEach(order -> addOrphan(order.number()));
            figures.measured(report);
        }
    }

    private void replayed(WorkerProcess worker, Report.Replay replay) {
        if (replay.isTakeover()) {
            addOrphan(replay.order());
        }
        inquests.forEach(inquest -> inquest.replayed(worker.name(), replay));
    }

    /** Held by a lease of which no worker knows: the dead had begun it after its last report. */
    private boolean isHomeless(OrderView order) {
        return order.state() == OrderView.State.EXECUTING
                && order.until() != null
                && order.until().isAfter(Instant.now())
                && crew.workers().stream()
                        .noneMatch(worker -> worker.report().executing().contains(order.number()));
    }

    private void addOrphan(int number) {
        OrderView view = orders.get(number);
        if (view != null) {
            inquests.forEach(inquest -> inquest.add(view));
        }
    }

    /** A process has ended. */
    private void left(WorkerProcess worker) {
        if (!crew.has(worker) || crew.isClosed()) {
            return; // and was to
        }
        WentWrong.unless(
                worker.isReady(),
                "Expected worker " + worker.name() + " to start, but it ended with exit code " + worker.exitCode()
                        + ". Why is in " + worker.log() + ".");
        bury(worker);
    }

    private void bury(WorkerProcess worker) {
        crew.remove(worker);
        Inquest inquest = new Inquest(worker, orders, ledger);
        inquests.add(inquest);
        figures.died();
        long rowsOnly = orders.values().stream()
                .filter(order -> order.state().isWaiting())
                .count();
        news.tell(
                Tone.DEATH,
                "Worker " + worker.name() + " (process " + worker.pid() + ") is dead. "
                        + Texts.count(inquest.orphans(), "order") + " under way, " + rowsOnly
                        + " waiting as rows.");
    }

    private void hireIfNobodyIsLeft() throws IOException {
        if (isOpen && crew.workers().isEmpty()) {
            fill();
        }
    }

    /** What has become of the dead and the due. */
    private void look() throws IOException {
        for (Inquest inquest : List.copyOf(inquests)) {
            inquest.look(orders);
            if (inquest.isOver() && crew.next().isPresent()) {
                inquests.remove(inquest);
                tellOfRecovery(inquest);
                fill();
            }
        }
        homecoming.ifPresent(coming -> coming.look(orders));
        if (homecoming.filter(Homecoming::isOver).isPresent()) {
            tellOfHomecoming(homecoming.get());
            homecoming = Optional.empty();
        }
    }

    private void tellOfRecovery(Inquest inquest) {
        figures.recovered(inquest);
        String replayed = " after " + Texts.seconds(inquest.delay()) + ": "
                + Texts.count(inquest.eventsReplayed(), "event") + " replayed, "
                + Texts.count(inquest.stepsRepeated(), "step") + " repeated.";
        String orphans = Texts.count(inquest.takenOver(), "order");
        if (inquest.takenOver() == 0) {
            news.tell(
                    Tone.RECOVERY, "Nothing was under way on " + inquest.dead().name() + ": nothing to take over.");
        } else if (crew.settings().isSqlite()) {
            news.tell(Tone.RECOVERY, inquest.dead().name() + " resumed " + orphans + replayed);
        } else {
            news.tell(
                    Tone.RECOVERY,
                    inquest.heirs() + " took over " + orphans + " of "
                            + inquest.dead().name() + replayed);
        }
    }

    private void tellOfHomecoming(Homecoming coming) {
        if (coming.due() > 0) {
            news.tell(
                    Tone.RECOVERY,
                    coming.due() == 1
                            ? "The timer that came due meanwhile has fired."
                            : "All " + coming.due() + " timers that came due meanwhile have fired, within "
                                    + Texts.seconds(coming.duration()) + ".");
        }
    }

    /** Starts what is asked for and is not there, one at a time. */
    private void startMissing() {
        Instant now = Instant.now();
        if (lastStart.plus(crew.settings().pace().betweenStarts()).isAfter(now)) {
            return;
        }
        for (int number : rows) {
            if (!orders.containsKey(number)
                    && asked.getOrDefault(number, Instant.MIN).isBefore(now.minus(ASK_AGAIN))) {
                tell(Wire.Word.START, number).ifPresent(worker -> asked.put(number, now));
                lastStart = now;
                return;
            }
        }
    }

    private Optional<WorkerProcess> tell(Wire.Word word, int number) {
        Optional<WorkerProcess> worker = crew.next();
        worker.ifPresent(one -> one.tell(word, number));
        return worker;
    }

    /** One more order, to be started as soon as somebody can. */
    int addOrder() {
        last++;
        rows.add(last);
        return last;
    }

    /** The place of an order that has ended is for another. */
    void replaceEnded(Duration shownFor) {
        Instant before = Instant.now().minus(shownFor);
        rows.removeIf(number -> orders.containsKey(number)
                && !orders.get(number).isOpen()
                && orders.get(number).since().isBefore(before));
        orders.keySet().removeIf(number -> number < last - 10 * ORDERS && !rows.contains(number));
        while (rows.size() < ORDERS && isOpen && crew.next().isPresent()) {
            addOrder();
        }
    }

    /** Ends a worker as nobody could foresee: that which has most to do. False when there is none. */
    boolean kill() {
        Optional<WorkerProcess> victim = crew.busiest();
        victim.ifPresent(worker -> {
            news.tell(Tone.DEATH, "kill -9 " + worker.pid());
            int exitCode = worker.kill();
            WentWrong.unless(
                    exitCode == KILLED,
                    "Expected worker " + worker.pid() + " to die of signal 9, but it ended with exit code " + exitCode
                            + ".");
            bury(worker);
        });
        return victim.isPresent();
    }

    /** Approves the oldest order that waits for it. */
    Optional<Integer> approve() {
        return touch(Wire.Word.APPROVE, OrderView.State.APPROVAL, Comparator.comparing(OrderView::number));
    }

    /** Lets the longest sleep be over. */
    Optional<Integer> forward() {
        return touch(
                Wire.Word.FORWARD,
                OrderView.State.DELIVERY,
                Comparator.comparing(OrderView::until, Comparator.nullsLast(Comparator.reverseOrder())));
    }

    private Optional<Integer> touch(Wire.Word word, OrderView.State state, Comparator<OrderView> first) {
        Predicate<OrderView> isNew = order -> touched.getOrDefault(order.number(), -1) != order.stepsDone();
        Optional<OrderView> chosen = orders.values().stream()
                .filter(order -> order.state() == state)
                .filter(isNew)
                .min(first);
        chosen.ifPresent(order -> {
            touched.put(order.number(), order.stepsDone());
            var unused = tell(word, order.number());
        });
        return chosen.map(OrderView::number);
    }

    List<Integer> rows() {
        return List.copyOf(rows);
    }

    Optional<OrderView> order(int number) {
        return Optional.ofNullable(orders.get(number));
    }

    /** Whether its worker has died and nobody has gone on with it yet. */
    boolean isOrphan(int number) {
        return inquests.stream().anyMatch(inquest -> inquest.isOrphan(number));
    }

    boolean isRecovering() {
        return !inquests.isEmpty() || homecoming.isPresent();
    }

    Crew crew() {
        return crew;
    }

    Figures figures() {
        return figures;
    }
}
