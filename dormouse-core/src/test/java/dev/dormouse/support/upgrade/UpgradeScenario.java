package dev.dormouse.support.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.HistoryEvent;
import dev.dormouse.inspect.ListOptions;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.timer.TimerAction;
import dev.dormouse.timer.TimerId;
import dev.dormouse.timer.TimerStatus;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * An upgrade of a database that an earlier version of Dormouse wrote, with runs in every status. The new version must bring
 * each of them to its end.
 *
 * <p>The databases are dumps, {@code upgrade/postgres-7.sql} and {@code upgrade/sqlite-6.sql}: their names have the version
 * of the schema. A program with the jars of that version wrote them. It registered {@link UpgradeWorkflows}, with some code
 * that was wrong ({@link UpgradeWorkflows#corrected}), and was halted three times:
 * <ol>
 *   <li>A node began "unread", "mismatch", "taken-over" and "progressed". It died in step "two" of the last two.
 *   <li>A client, which executes nothing, sent two signals to "unread" and one to "mismatch".
 *   <li>A node without type "absent" and queue "line" took over "taken-over", whose step "two" blocked again, and
 *       "progressed", whose step "three" blocked. It began all other runs, with waits in memory of up to 15 s, and waited
 *       until they were as {@link #checkBefore} says. At last a trigger blocked the table of messages, so that a signal of
 *       "sender" remained in the outbox, and the node was halted: in the middle of all steps that blocked.
 * </ol>
 * Waits were 100 s, or 12 s in memory, or 30,000 days. All instants are in the past when a test reads them, except the last.
 */
public final class UpgradeScenario {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration SWEEP = Duration.ofSeconds(1);
    private static final RunStatus[] CLOSED =
            Stream.of(RunStatus.values()).filter(RunStatus::isClosed).toArray(RunStatus[]::new);

    private final Queue<String> done = new ConcurrentLinkedQueue<>();
    private final StoredRuns stored;
    private final Supplier<DormouseBuilder> node;
    private final List<StoredRuns.Run> runs;
    private final Set<String> historyRows;

    /**
     * Loads the rows of an earlier version.
     *
     * @param database the database, which has the tables of that version and no rows
     * @param prefix the beginning of the names of its tables
     * @param dump the resource with the rows
     * @param node creates builders of nodes on this database
     */
    public UpgradeScenario(DataSource database, String prefix, String dump, Supplier<DormouseBuilder> node)
            throws SQLException {
        this.stored = new StoredRuns(database, prefix);
        this.node = node;
        stored.load(dump);
        this.runs = stored.all();
        this.historyRows = stored.historyRows();
        checkBefore();
    }

    /** Checks that the database has runs in every status, so that none is forgotten. */
    private void checkBefore() throws SQLException {
        List<StoredRuns.Run> named = runs.stream()
                .filter(run -> !run.workflowId().contains("/")) // activities
                .filter(run -> !run.workflowId().startsWith("%")) // schedules
                .filter(run -> !run.workflowId().startsWith("ticks-"))
                .toList();
        assertThat(StoredRuns.byStatus(named))
                .containsOnlyKeys(RunStatus.values())
                .containsEntry(RunStatus.PENDING, Set.of("!due", "!late", "delayed", "delayed-long", "queued"))
                .containsEntry(
                        RunStatus.RUNNING,
                        Set.of(
                                "!firing",
                                "batched",
                                "cleaning",
                                "crawling",
                                "forking",
                                "gone",
                                "parent-running-child",
                                "progressed",
                                "running",
                                "taken-over"))
                .containsEntry(RunStatus.PARKED, Set.of("lingering", "parked"))
                .containsEntry(
                        RunStatus.WAITING,
                        Set.of(
                                "asking",
                                "desk",
                                "event",
                                "expiring",
                                "half",
                                "parent-running",
                                "parent-waiting",
                                "parent-waiting-child",
                                "receiver",
                                "retrying",
                                "rounds",
                                "sleeping",
                                "sleeping-long",
                                "tool-1",
                                "tool-2",
                                "unread",
                                "versions",
                                "waiting"))
                .containsEntry(RunStatus.STUCK, Set.of("mismatch", "stuck"))
                .containsEntry(RunStatus.COMPLETED, Set.of("!fired", "completed", "keeper", "sender"))
                .containsEntry(RunStatus.FAILED, Set.of("failed", "retried"))
                .containsEntry(RunStatus.TERMINATED, Set.of("terminated"))
                .containsEntry(RunStatus.TIMED_OUT, Set.of("timed-out"))
                .containsEntry(RunStatus.CANCELLED, Set.of("!cancelled", "cancelled"))
                .containsEntry(RunStatus.CONTINUED, Set.of("rounds"));
        assertThat(stored.count("T:run where takeovers > 0")).isEqualTo(1);
        assertThat(stored.count("T:note")).isEqualTo(1);
        assertThat(stored.count("T:subscription")).isEqualTo(1);
        assertThat(stored.count("T:outbox where workflow_id = 'receiver'")).isEqualTo(1);
    }

    /**
     * Opens a node of this version, and checks what becomes of every run.
     *
     * @param more checks what only this database has
     */
    public void checkEnds(Consumer<Dormouse> more) throws SQLException {
        try (Dormouse dormouse = open(node.get().keepClosedRuns().sweepInterval(SWEEP))) {
            checkHeldRuns(dormouse);
            checkWaitingRuns(dormouse);
            checkMessages(dormouse);
            checkStuckRuns(dormouse);
            checkTimers(dormouse);
            checkClosedRuns(dormouse);
            checkHistories(dormouse);
            more.accept(dormouse);
        }
        assertThat(done)
                .filteredOn(place -> !place.startsWith("ticks-") && !place.startsWith("from-sql/"))
                .as("steps whose results were not committed, each once")
                .containsExactlyInAnyOrderElementsOf(expectedSteps());
        assertThat(stored.historyRows()).as("stored histories").containsAll(historyRows);
    }

    private Dormouse open(DormouseBuilder builder) {
        Dormouse dormouse = UpgradeWorkflows.corrected(UpgradeWorkflows.register(builder, this::work), this::work)
                .open();
        dormouse.timers().handle("ring", String.class, (TimerAction<String>) payload -> work("timer/" + payload));
        return dormouse;
    }

    private String work(String place) {
        done.add(place);
        return place.substring(place.lastIndexOf('/') + 1);
    }

    private static List<String> expectedSteps() {
        return Stream.of(
                        Stream.of("running", "batched", "progressed")
                                .flatMap(id -> Stream.of(id + "/three", id + "/four")),
                        Stream.of("taken-over", "parent-running-child")
                                .flatMap(id -> Stream.of(id + "/two", id + "/three", id + "/four")),
                        Stream.of("delayed", "delayed-long", "queued")
                                .flatMap(id -> Stream.of(id + "/one", id + "/two", id + "/three", id + "/four")),
                        Stream.of("crawling/crawl", "tool-1/tool", "tool-2/tool", "cleaning/clean up", "forking/right"),
                        Stream.of(
                                "parked/after",
                                "sleeping/after",
                                "sleeping-long/after",
                                "retrying/flaky",
                                "desk/greet"),
                        Stream.of("stuck/one", "completed/three", "completed/four"),
                        Stream.of("timer/firing", "timer/due", "timer/late", "timer/paused"))
                .flatMap(all -> all)
                .toList();
    }

    /** Runs that a node held when it died. */
    private static void checkHeldRuns(Dormouse dormouse) {
        assertReturns(dormouse, "running", "running one two three four");
        assertReturns(dormouse, "batched", "batched one two three four");
        assertReturns(dormouse, "taken-over", "taken one two three four");
        assertReturns(dormouse, "progressed", "progressed one two three four");
        assertReturns(dormouse, "crawling", "crawl from 41");
        assertReturns(dormouse, "forking", "left end of left right");
        assertReturns(dormouse, "parent-running", "child: child one two three four");
        assertReturns(dormouse, "tool-1", "tool");
        assertReturns(dormouse, "tool-2", "tool");
        assertReturns(dormouse, "parked", "before after");
        assertThatThrownBy(() -> result(dormouse, "cleaning")).hasMessageContaining("clean up");
        assertStatus(dormouse, "cleaning", RunStatus.CANCELLED);
        assertStatus(dormouse, "gone", RunStatus.RUNNING);
        assertThat(dormouse.handle("gone").terminate("no code")).isTrue();
        assertThatThrownBy(() -> result(dormouse, "gone")).hasMessageContaining("no code");
        assertStatus(dormouse, "gone", RunStatus.TERMINATED);
    }

    private static void checkWaitingRuns(Dormouse dormouse) {
        assertReturns(dormouse, "sleeping", "before after");
        assertReturns(dormouse, "retrying", "before flaky 2");
        assertReturns(dormouse, "delayed", "delayed one two three four");
        assertThat(dormouse.handle("delayed").describe().memo()).containsExactly(Map.entry("why", "later"));
        assertReturns(dormouse, "queued", "queued one two three four");
        endWait(dormouse, "sleeping-long", RunStatus.WAITING);
        assertReturns(dormouse, "sleeping-long", "before after");
        endWait(dormouse, "delayed-long", RunStatus.PENDING);
        assertReturns(dormouse, "delayed-long", "delayed one two three four");
        dormouse.publish("arrival", Map.of("ship", "dora"));
        assertReturns(dormouse, "event", "{ship=dora}");
        dormouse.completeActivity((String) dormouse.handle("keeper").result(LIMIT), "yes");
        assertReturns(dormouse, "asking", "answer: yes");
        assertThatThrownBy(() -> result(dormouse, "expiring")).hasMessageContaining("expiring");
        assertStatus(dormouse, "expiring", RunStatus.TIMED_OUT);
    }

    private static void endWait(Dormouse dormouse, String id, RunStatus status) {
        assertStatus(dormouse, id, status);
        WorkflowHandle<Object> run = dormouse.handle(id);
        run.moveWait(run.waits().get(0).call(), dormouse.now(), "enough");
    }

    private static void checkMessages(Dormouse dormouse) {
        assertReturns(dormouse, "unread", "one two");
        signal(dormouse, "waiting", "now");
        assertReturns(dormouse, "waiting", "now");
        dormouse.handle("half").signalOnce("k", "text", "first again");
        dormouse.handle("half").signalOnce("k2", "text", "second");
        assertReturns(dormouse, "half", "first second");
        signal(dormouse, "lingering", "second");
        assertReturns(dormouse, "lingering", "first second");
        signal(dormouse, "rounds", "signal");
        signal(dormouse, "rounds", "next signal");
        assertReturns(dormouse, "rounds", "round 4 next signal");
        signal(dormouse, "parent-waiting-child", "from a child");
        assertReturns(dormouse, "parent-waiting", "child: from a child");
        await("the item of the outbox", () -> has(dormouse, "receiver", "MailReceived"));
        signal(dormouse, "receiver", "sent after");
        assertReturns(dormouse, "receiver", "sent before sent after");
        dormouse.handle("desk").signal("open");
        assertThat(dormouse.handle("desk").updateOnce("u1", LIMIT, "greet", String.class, "Ada"))
                .isEqualTo("greet Ada");
        assertReturns(dormouse, "desk", "greeted Ada");
    }

    private static void signal(Dormouse dormouse, String id, String text) {
        dormouse.handle(id).signal("text", text);
    }

    private static void checkStuckRuns(Dormouse dormouse) {
        assertReturns(dormouse, "stuck", "one corrected");
        assertReturns(dormouse, "mismatch", "a signal");
        signal(dormouse, "versions", "signal");
        assertReturns(dormouse, "versions", "version 1 signal");
    }

    private void checkTimers(Dormouse dormouse) {
        assertTimer(dormouse, "fired", TimerStatus.FIRED);
        assertTimer(dormouse, "cancelled", TimerStatus.CANCELLED);
        assertTimer(dormouse, "late", TimerStatus.PENDING);
        assertThat(dormouse.timers().fireNow(new TimerId("late"))).isTrue();
        for (String id : List.of("firing", "due", "late")) {
            await("timer " + id, () -> isTimer(dormouse, id, TimerStatus.FIRED));
        }
        assertThat(dormouse.schedules().get("paused").orElseThrow().paused()).isTrue();
        dormouse.schedules().trigger("paused");
        await("the timer of a schedule", () -> done.contains("timer/paused"));
        await(
                "ticks",
                () -> done.stream().filter(place -> place.startsWith("ticks-")).count() >= 3);
        dormouse.schedules().delete("ticks");
        assertThat(done).as("an instant that passed, and later ones").doesNotHaveDuplicates();
    }

    private static void assertTimer(Dormouse dormouse, String id, TimerStatus expected) {
        assertThat(dormouse.timers().get(new TimerId(id)).orElseThrow().status())
                .isEqualTo(expected);
    }

    private static boolean isTimer(Dormouse dormouse, String id, TimerStatus expected) {
        return dormouse.timers().get(new TimerId(id)).orElseThrow().status() == expected;
    }

    private static void checkClosedRuns(Dormouse dormouse) {
        assertReturns(dormouse, "completed", "completed one two three four");
        assertReturns(dormouse, "sender", "sent");
        assertThatThrownBy(() -> result(dormouse, "failed")).hasMessageContaining("one was not enough");
        assertStatus(dormouse, "failed", RunStatus.FAILED);
        assertThatThrownBy(() -> result(dormouse, "cancelled")).hasMessageContaining("not wanted");
        assertStatus(dormouse, "cancelled", RunStatus.CANCELLED);
        assertThatThrownBy(() -> result(dormouse, "terminated")).hasMessageContaining("by hand");
        assertStatus(dormouse, "terminated", RunStatus.TERMINATED);
        assertThatThrownBy(() -> result(dormouse, "timed-out")).hasMessageContaining("timed-out");
        assertStatus(dormouse, "timed-out", RunStatus.TIMED_OUT);
        assertThat(dormouse.handle("retried").retry().result(LIMIT)).isEqualTo("one corrected");
        List<HistoryEvent> events = dormouse.handle("completed").history();
        int two = events.stream()
                .filter(event -> event.kind().equals("StepCompleted"))
                .toList()
                .get(1)
                .seq();
        assertThat(dormouse.handle("completed").reset(two + 1).result(LIMIT)).isEqualTo("completed one two three four");
    }

    /** Checks that every history can be read, and has a takeover if a node held the run when it died. */
    private void checkHistories(Dormouse dormouse) {
        for (StoredRuns.Run run : runs) {
            List<HistoryEvent> events = dormouse.find(run.workflowId(), run.runId(), Object.class)
                    .orElseThrow(() -> new AssertionError(run + " is gone"))
                    .history();
            assertThat(events).as("history of %s", run).hasSizeGreaterThanOrEqualTo(run.events());
            assertThat(events.subList(run.events(), events.size()))
                    .as("takeovers of %s", run)
                    .filteredOn(event -> event.kind().equals("TakenOver"))
                    .hasSize(run.isHeld() && !run.workflowId().equals("gone") ? 1 : 0);
        }
    }

    /** Opens a node that deletes closed runs, and checks that nothing is left of them. */
    public void checkPurge() throws SQLException {
        try (Dormouse dormouse = open(node.get().retention(Duration.ofMillis(1)).sweepInterval(SWEEP))) {
            await(
                    "deletion",
                    () -> dormouse.list(ListOptions.ALL.withStatuses(CLOSED))
                            .runs()
                            .isEmpty());
            assertThat(dormouse.find("failed", String.class)).isEmpty();
            assertThat(dormouse.schedules().get("paused")).isPresent();
        }
        assertThat(stored.count("T:run where workflow_id not like '\\%%' escape '\\'"))
                .isZero();
        assertThat(stored.count("T:history h where not exists (select 1 from T:run r where r.run_id = h.run_id)"))
                .isZero();
        assertThat(stored.count("T:inbox where workflow_id not like '\\%%' escape '\\'"))
                .isZero();
        for (String table : List.of("outbox", "note", "subscription")) {
            assertThat(stored.count("T:" + table)).as(table).isZero();
        }
    }

    private static Object result(Dormouse dormouse, String id) {
        return dormouse.handle(id).result(LIMIT);
    }

    /** Asserts the result of the latest run of a workflow id. */
    public static void assertReturns(Dormouse dormouse, String id, String expected) {
        assertThat(result(dormouse, id)).as("result of %s", id).isEqualTo(expected);
    }

    private static void assertStatus(Dormouse dormouse, String id, RunStatus expected) {
        assertThat(dormouse.handle(id).describe().status())
                .as("status of %s", id)
                .isEqualTo(expected);
    }

    private static boolean has(Dormouse dormouse, String id, String kind) {
        return dormouse.handle(id).history().stream()
                .anyMatch(event -> event.kind().equals(kind));
    }

    private static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("no %s within %s", what, LIMIT).isLessThan(end);
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }
}
