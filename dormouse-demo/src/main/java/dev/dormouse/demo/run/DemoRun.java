package dev.dormouse.demo.run;

import dev.dormouse.demo.base.DemoFailure;
import dev.dormouse.demo.base.DemoTexts;
import dev.dormouse.demo.order.OrderView;
import dev.dormouse.demo.order.StepLog;
import dev.dormouse.demo.order.StoreInventory;
import dev.dormouse.demo.run.DemoMessages.Tone;
import dev.dormouse.demo.worker.PipeProtocol;
import dev.dormouse.demo.worker.WorkerReport;
import dev.dormouse.demo.worker.WorkerSettings;
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
 * The demo itself, independent of its presentation: twenty orders, the workers that execute them, and the actions on
 * both. Confined to one thread; other threads pass it work with {@link #submit}, which is thread-safe.
 */
public final class DemoRun {
    public static final int ORDERS = 20;

    private static final Duration ASK_AGAIN = Duration.ofSeconds(3);
    private static final int KILLED = 128 + 9;

    /** Work for the demo's thread. */
    public interface Task {
        void run() throws IOException;
    }

    private final WorkerPool pool;
    private final StepLog stepLog;
    private final DemoMessages news;
    private final BlockingQueue<Task> tasks = new LinkedBlockingQueue<>();
    private final Map<Integer, OrderView> orders = new TreeMap<>();
    private final Map<Integer, Instant> asked = new HashMap<>();
    private final Map<Integer, Integer> touched = new HashMap<>();
    private final List<Integer> rows = new ArrayList<>();
    private final List<TakeoverTracker> takeovers = new ArrayList<>();
    private final DemoCounters counters = new DemoCounters();
    private Optional<OverdueTracker> overdue = Optional.empty();
    private Instant lastStart = Instant.EPOCH;
    private boolean isOpen;
    private int last;
    private int said;

    public DemoRun(WorkerPool pool, StepLog stepLog, DemoMessages news) {
        this.pool = pool;
        this.stepLog = stepLog;
        this.news = news;
    }

    /** Queues work for the demo's thread. Thread-safe. */
    public void submit(Task task) {
        tasks.add(task);
    }

    /** Executes queued work for {@code time}, then checks the workers and starts missing orders. */
    public void advance(Duration time) throws InterruptedException, IOException {
        Instant end = Instant.now().plus(time);
        for (long left = time.toMillis();
                left > 0;
                left = Duration.between(Instant.now(), end).toMillis()) {
            Task task = tasks.poll(left, TimeUnit.MILLISECONDS);
            if (task != null) {
                task.run();
            }
        }
        startWorkersIfNoneIsLeft();
        look();
        startMissing();
    }

    /** Starts the workers, at first or again. */
    public void open() throws IOException {
        isOpen = true;
        if (!pool.settings().isSqlite()) {
            news.tell(
                    Tone.PLAIN,
                    "Two workers share the work. A lease lasts " + WorkerSettings.LEASE.toSeconds()
                            + " s here, so that takeovers are quick.");
        }
        fill();
    }

    private void fill() throws IOException {
        for (WorkerProcess worker :
                pool.fill((from, message) -> submit(() -> heard(from, message)), ended -> submit(() -> left(ended)))) {
            news.tell(Tone.PLAIN, "Worker " + worker.name() + " starts: process " + worker.pid() + ".");
        }
    }

    /** Stops all workers gracefully; unfinished work stays in the store. */
    public void close() {
        isOpen = false;
        pool.stop();
        orders.values().removeIf(order -> !rows.contains(order.number()));
    }

    private void heard(WorkerProcess worker, PipeProtocol.Message message) throws IOException {
        switch (message.word()) {
            case READY -> ready(worker, message.as(StoreInventory.class));
            case REPORT -> reported(worker, message.as(WorkerReport.class));
            case DASHBOARD -> serves(worker, message.as(String.class));
            case SAY -> {
                said++;
                news.tell(Tone.PLAIN, message.as(String.class));
            }
            case GIVE_UP -> throw new DemoFailure(message.as(String.class));
            default -> throw new IllegalArgumentException("Expected a worker's word, but got " + message.word() + ".");
        }
    }

    private void ready(WorkerProcess worker, StoreInventory found) throws IOException {
        worker.becameReady();
        if (worker.isAlone() && takeovers.isEmpty()) {
            fill();
        }
        if (!worker.isAlone() || found.known() == 0) {
            return;
        }
        DemoFailure.unless(
                found.lost().isEmpty(), "Expected all orders in the store, but these are not: " + found.lost() + ".");
        overdue = Optional.of(new OverdueTracker(found));
        if (takeovers.isEmpty()) {
            tellOfReturn(found);
        } else {
            found.executing().forEach(this::addOrphan);
            tellOfRestart(worker, found);
        }
        counters.dueMeanwhile(found.due().size());
        last = Math.max(last, found.highest());
        found.open().stream().sorted().filter(number -> !rows.contains(number)).forEach(rows::add);
    }

    private void serves(WorkerProcess worker, String url) {
        worker.serves(url);
        if (pool.has(worker)) {
            news.tell(Tone.PLAIN, "The dashboard of worker " + worker.name() + ": " + url);
        }
    }

    private void tellOfReturn(StoreInventory found) {
        news.tell(
                Tone.RECOVERY,
                "Found " + DemoTexts.count(found.known(), "order") + ": "
                        + (found.known() - found.open().size()) + " ended, "
                        + found.open().size()
                        + " open, none lost; " + DemoTexts.count(found.due().size(), "timer") + " came due meanwhile.");
    }

    private void tellOfRestart(WorkerProcess worker, StoreInventory found) {
        news.tell(
                Tone.RECOVERY,
                "Worker " + worker.name() + " is back after "
                        + DemoTexts.seconds(Duration.between(worker.startedAt(), Instant.now())) + ": "
                        + found.open().size() + " orders open, "
                        + found.executing().size() + " were under way, "
                        + DemoTexts.count(found.due().size(), "timer") + " due.");
    }

    private void reported(WorkerProcess worker, WorkerReport report) {
        if (pool.has(worker)) {
            worker.reported(report);
            report.replays().forEach(replay -> replayed(worker, replay));
            report.orders().forEach(order -> orders.put(order.number(), order));
            report.orders().stream().filter(this::isOrphaned).forEach(order -> addOrphan(order.number()));
            counters.measured(report);
        }
    }

    private void replayed(WorkerProcess worker, WorkerReport.Replay replay) {
        if (replay.isTakeover()) {
            addOrphan(replay.order());
        }
        takeovers.forEach(takeover -> takeover.replayed(worker.name(), replay));
    }

    /**
     * Returns true for an order held by a lease that no live worker has: a dead worker began it after its last report.
     */
    private boolean isOrphaned(OrderView order) {
        return order.state() == OrderView.State.EXECUTING
                && order.until() != null
                && order.until().isAfter(Instant.now())
                && pool.workers().stream()
                        .noneMatch(worker -> worker.report().executing().contains(order.number()));
    }

    private void addOrphan(int number) {
        OrderView view = orders.get(number);
        if (view != null) {
            takeovers.forEach(takeover -> takeover.add(view));
        }
    }

    /** Called when a worker process has ended. */
    private void left(WorkerProcess worker) {
        if (!pool.has(worker) || pool.isClosed()) {
            return; // as intended
        }
        DemoFailure.unless(
                worker.isReady(),
                "Expected worker " + worker.name() + " to start, but it ended with exit code " + worker.exitCode()
                        + ". See " + worker.log() + ".");
        workerDied(worker);
    }

    private void workerDied(WorkerProcess worker) {
        pool.remove(worker);
        TakeoverTracker takeover = new TakeoverTracker(worker, orders, stepLog);
        takeovers.add(takeover);
        counters.died();
        long rowsOnly = orders.values().stream()
                .filter(order -> order.state().isWaiting())
                .count();
        news.tell(
                Tone.DEATH,
                "Worker " + worker.name() + " (process " + worker.pid() + ") is dead. "
                        + DemoTexts.count(takeover.orphans(), "order") + " under way, " + rowsOnly
                        + " waiting as rows.");
    }

    private void startWorkersIfNoneIsLeft() throws IOException {
        if (isOpen && pool.workers().isEmpty()) {
            fill();
        }
    }

    /** Checks the progress of takeovers and of overdue timers. */
    private void look() throws IOException {
        for (TakeoverTracker takeover : List.copyOf(takeovers)) {
            takeover.look(orders);
            if (takeover.isOver() && pool.next().isPresent()) {
                takeovers.remove(takeover);
                tellOfRecovery(takeover);
                fill();
            }
        }
        overdue.ifPresent(coming -> coming.look(orders));
        if (overdue.filter(OverdueTracker::isOver).isPresent()) {
            tellOfOverdue(overdue.get());
            overdue = Optional.empty();
        }
    }

    private void tellOfRecovery(TakeoverTracker takeover) {
        counters.recovered(takeover);
        String replayed = " after " + DemoTexts.seconds(takeover.delay()) + ": "
                + DemoTexts.count(takeover.eventsReplayed(), "event") + " replayed, "
                + DemoTexts.count(takeover.stepsRepeated(), "step") + " repeated.";
        String orphans = DemoTexts.count(takeover.takenOver(), "order");
        if (takeover.takenOver() == 0) {
            news.tell(
                    Tone.RECOVERY, "Nothing was under way on " + takeover.dead().name() + ": nothing to take over.");
        } else if (pool.settings().isSqlite()) {
            news.tell(Tone.RECOVERY, takeover.dead().name() + " resumed " + orphans + replayed);
        } else {
            news.tell(
                    Tone.RECOVERY,
                    takeover.successors() + " took over " + orphans + " of "
                            + takeover.dead().name() + replayed);
        }
    }

    private void tellOfOverdue(OverdueTracker coming) {
        if (coming.due() > 0) {
            news.tell(
                    Tone.RECOVERY,
                    coming.due() == 1
                            ? "The timer that came due meanwhile has fired."
                            : "All " + coming.due() + " timers that came due meanwhile have fired, within "
                                    + DemoTexts.seconds(coming.duration()) + ".");
        }
    }

    /** Starts the next order that was added and is not in the store yet. */
    private void startMissing() {
        Instant now = Instant.now();
        if (lastStart.plus(pool.settings().pace().betweenStarts()).isAfter(now)) {
            return;
        }
        for (int number : rows) {
            if (!orders.containsKey(number)
                    && asked.getOrDefault(number, Instant.MIN).isBefore(now.minus(ASK_AGAIN))) {
                tell(PipeProtocol.Word.START, number).ifPresent(worker -> asked.put(number, now));
                lastStart = now;
                return;
            }
        }
    }

    private Optional<WorkerProcess> tell(PipeProtocol.Word word, int number) {
        Optional<WorkerProcess> worker = pool.next();
        worker.ifPresent(one -> one.tell(word, number));
        return worker;
    }

    /** Adds an order, which is started as soon as a worker is ready. */
    public int addOrder() {
        last++;
        rows.add(last);
        return last;
    }

    /** Replaces orders that ended more than {@code shownFor} ago with new ones. */
    public void replaceEnded(Duration shownFor) {
        Instant before = Instant.now().minus(shownFor);
        rows.removeIf(number -> orders.containsKey(number)
                && !orders.get(number).isOpen()
                && orders.get(number).since().isBefore(before));
        orders.keySet().removeIf(number -> number < last - 10 * ORDERS && !rows.contains(number));
        while (rows.size() < ORDERS && isOpen && pool.next().isPresent()) {
            addOrder();
        }
    }

    /** Kills the busiest worker. Returns false if there is none. */
    public boolean kill() {
        Optional<WorkerProcess> victim = pool.busiest();
        victim.ifPresent(worker -> {
            news.tell(Tone.DEATH, "kill -9 " + worker.pid());
            int exitCode = worker.kill();
            DemoFailure.unless(
                    exitCode == KILLED,
                    "Expected worker " + worker.pid() + " to die of signal 9, but it ended with exit code " + exitCode
                            + ".");
            workerDied(worker);
        });
        return victim.isPresent();
    }

    /** Approves the oldest order that waits for approval. */
    public Optional<Integer> approve() {
        return touch(PipeProtocol.Word.APPROVE, OrderView.State.APPROVAL, Comparator.comparing(OrderView::number));
    }

    /** Ends the longest sleep. */
    public Optional<Integer> forward() {
        return touch(
                PipeProtocol.Word.FORWARD,
                OrderView.State.DELIVERY,
                Comparator.comparing(OrderView::until, Comparator.nullsLast(Comparator.reverseOrder())));
    }

    private Optional<Integer> touch(PipeProtocol.Word word, OrderView.State state, Comparator<OrderView> first) {
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

    /** Returns how many messages of workers were printed. Each command that was sent to a worker is answered by one. */
    public int answers() {
        return said;
    }

    public List<Integer> rows() {
        return List.copyOf(rows);
    }

    public Optional<OrderView> order(int number) {
        return Optional.ofNullable(orders.get(number));
    }

    /** Returns true if the order's worker has died and no other worker has resumed it yet. */
    public boolean isOrphan(int number) {
        return takeovers.stream().anyMatch(takeover -> takeover.isOrphan(number));
    }

    public boolean isRecovering() {
        return !takeovers.isEmpty() || overdue.isPresent();
    }

    public WorkerPool pool() {
        return pool;
    }

    public DemoCounters counters() {
        return counters;
    }
}
