package dev.dormouse.postgres;

import static dev.dormouse.postgres.Runs.LANE;
import static dev.dormouse.postgres.Runs.LEASE;
import static dev.dormouse.postgres.Runs.many;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.Store;
import dev.dormouse.store.base.Definition;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.event.Note;
import dev.dormouse.store.event.PastEvent;
import dev.dormouse.store.event.Question;
import dev.dormouse.store.event.Subscription;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.queue.QueueClaim;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.Queued;
import dev.dormouse.store.run.Renewal;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import dev.dormouse.store.run.Sweep;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;

/** Calls every operation of a store, with batches of ten, and reports the name of each operation before the call. */
final class EveryOperation {
    static final int BATCH = 10;

    private final Store store;
    private final BiConsumer<String, Runnable> call;
    private final String prefix;
    private final List<Start> starts;
    private final List<UUID> ids;
    private final List<Commit> steps;
    private final List<Delivery> mail;

    EveryOperation(Store store, String prefix, BiConsumer<String, Runnable> call) {
        this.store = store;
        this.call = call;
        this.prefix = prefix;
        this.starts = many(BATCH, i -> Runs.leased(prefix + i, 7));
        this.ids = starts.stream().map(Start::runId).toList();
        this.steps = starts.stream().map(Runs::step).toList();
        this.mail = many(BATCH, i -> Runs.signal(prefix + i, "k"));
    }

    void run() {
        write();
        writeAgain();
        replace(RunStatus.COMPLETED);
        replace(RunStatus.CONTINUED);
        claim();
        claimQueued();
        read();
        list();
        ask();
        waitForEvents();
        define();
        keepHouse();
    }

    private void write() {
        List<Renewal> held = ids.stream().map(id -> new Renewal(id, 7)).toList();
        call.accept("start", () -> assertAll(store.start(0, starts), StartOutcome.Started.class));
        call.accept("commit", () -> assertAll(store.commit(0, steps), CommitOutcome.Committed.class));
        call.accept("deliver", () -> assertAll(store.deliver(0, mail, LEASE), DeliverOutcome.Accepted.class));
        call.accept(
                "deliver to one",
                () -> assertAll(
                        store.deliver(0, Runs.signals(prefix + 1, 0, BATCH), LEASE), DeliverOutcome.Accepted.class));
        List<Note> notes =
                ids.stream().map(id -> new Note(id, 7, 1, 1, new byte[10])).toList();
        call.accept("note", () -> store.note(0, notes));
        call.accept("note again", () -> store.note(0, notes));
        call.accept("notes", () -> assertThat(store.notes(0, ids.get(0))).hasSize(1));
        call.accept("erase", () -> store.erase(0, notes));
        assertThat(store.notes(0, ids.get(0))).isEmpty();
        call.accept(
                "renew", () -> assertThat(store.renew(0, held, LEASE).mail()).hasSize(BATCH));
    }

    private static void assertAll(List<?> outcomes, Class<?> expected) {
        assertThat(outcomes).hasSize(BATCH).allMatch(expected::isInstance);
    }

    /** A second statement explains entries that were not applied. */
    private void writeAgain() {
        List<Renewal> lost = many(BATCH, i -> new Renewal(Runs.newId(), 7));
        List<Commit> others = starts.stream().map(Runs::step).toList();
        call.accept("start again", () -> assertAll(store.start(0, starts), StartOutcome.Exists.class));
        call.accept("commit fenced", () -> assertAll(store.commit(0, others), CommitOutcome.Fenced.class));
        call.accept("deliver again", () -> assertAll(store.deliver(0, mail, LEASE), DeliverOutcome.Duplicate.class));
        call.accept(
                "renew lost",
                () -> assertThat(store.renew(0, lost, LEASE).mail()).isEmpty());
    }

    private void replace(RunStatus status) {
        List<Start> closed = many(BATCH, i -> Runs.leased(prefix + status + i, 7));
        store.start(0, closed);
        store.commit(0, closed.stream().map(start -> Runs.close(start, status)).toList());
        List<Start> next = many(BATCH, i -> Runs.replacing(Runs.leased(prefix + status + i, 7), status));
        call.accept("replace " + status, () -> assertAll(store.start(0, next), StartOutcome.Started.class));
    }

    private void claim() {
        store.start(0, many(BATCH, i -> Runs.pending(prefix + "due-" + i, Alarm.NOW)));
        String[] lanes = {LANE, "other", "order~"};
        call.accept(
                "claim",
                () -> assertAll(
                        store.claim(0, Runs.claim(BATCH, Instant.EPOCH, lanes)).runs(), Object.class));
        Instant now = store.renew(0, List.of(), LEASE).now();
        call.accept("claim from a floor", () -> store.claim(0, Runs.claim(BATCH, now, lanes)));
        call.accept("sweep", () -> store.sweep(0, new Sweep("node", "build", List.of(lanes), BATCH)));
    }

    private void claimQueued() {
        QueueClaim.Rate rate = new QueueClaim.Rate(1_000, Duration.ofSeconds(1));
        List<Start> queued = many(BATCH, i -> Runs.queued(prefix + "queued-" + i, "q@" + i % 2, place(i)));
        call.accept("start queued", () -> assertAll(store.start(0, queued), StartOutcome.Started.class));
        call.accept(
                "claim from a queue",
                () -> assertThat(store.claimQueued(0, queueClaim(5, rate)).runs())
                        .hasSize(5));
        call.accept(
                "claim from a full queue",
                () -> assertThat(store.claimQueued(0, queueClaim(5, null)).runs())
                        .isEmpty());
        call.accept(
                "claim the rest of a queue",
                () -> assertThat(store.claimQueued(0, queueClaim(1_000, null)).runs())
                        .hasSize(5));
    }

    private Queued place(int i) {
        return new Queued(prefix + "q", i, "key-" + i);
    }

    private QueueClaim queueClaim(int total, QueueClaim.Rate rate) {
        return Runs.queueClaim(prefix + "q", BATCH, total, rate, rate, Instant.EPOCH, "q@0", "q@1", "q@2");
    }

    private void read() {
        String workflowId = prefix + 0;
        call.accept("run", () -> assertThat(store.run(0, ids.get(0))).isPresent());
        call.accept("runs", () -> assertThat(store.runs(0, ids)).hasSize(BATCH));
        call.accept("current", () -> assertThat(store.current(0, workflowId)).isPresent());
        call.accept("history", () -> assertThat(store.history(0, ids.get(0), 1)).isPresent());
        call.accept("histories", () -> assertThat(store.histories(0, ids)).hasSize(2 * BATCH));
        call.accept("mail", () -> assertThat(store.mail(0, workflowId, 0, 10)).hasSize(1));
        call.accept("nodes", () -> assertThat(store.nodes(0)).hasSize(1));
        call.accept("outbox", () -> store.outbox(0, BATCH));
    }

    private void list() {
        RunFilter nothing = new RunFilter(null, "None", Set.of(RunStatus.FAILED));
        RunFilter byId = new RunFilter(prefix, null, Set.of());
        call.accept("list", () -> store.list(0, RunFilter.ALL, Optional.empty(), BATCH));
        call.accept("list nothing", () -> store.list(0, nothing, Optional.empty(), BATCH));
        call.accept("list by workflow id", () -> store.list(0, byId, Optional.empty(), BATCH));
    }

    private void ask() {
        List<Question> questions = many(BATCH, i -> Runs.question(i % 2 == 0 ? LANE : "other"));
        List<UUID> asked = questions.stream().map(Question::id).toList();
        call.accept("ask", () -> questions.forEach(question -> store.ask(0, question)));
        call.accept(
                "questions", () -> assertAll(store.questions(0, List.of(LANE, "other", "none"), BATCH), Object.class));
        call.accept("reply", () -> asked.forEach(id -> store.reply(0, id, new byte[10])));
        call.accept(
                "read the reply", () -> assertThat(store.reply(0, asked.get(0))).isPresent());
        call.accept("forget", () -> assertThat(store.forget(0, asked, LEASE)).isEqualTo(BATCH));
    }

    private void waitForEvents() {
        String key = prefix + "key";
        List<Subscription> subscriptions =
                many(BATCH, i -> Runs.subscription(prefix + i, "id-" + i, key, i % 2 == 0 ? null : Micros.MAX));
        List<String> keys = List.of(key, "none", prefix + "none");
        call.accept("subscribe one", () -> store.subscribe(0, subscriptions.subList(0, 1)));
        call.accept("subscribe", () -> store.subscribe(0, subscriptions));
        call.accept("subscribe again", () -> store.subscribe(0, subscriptions));
        call.accept(
                "subscriptions", () -> assertAll(store.subscriptions(0, "paid", keys, null, 100), Subscription.class));
        call.accept(
                "next subscriptions",
                () -> assertThat(store.subscriptions(0, "paid", keys, subscriptions.get(4), 2))
                        .hasSize(2));
        call.accept("unsubscribe", () -> store.unsubscribe(0, subscriptions));
        List<PastEvent> events = many(BATCH, i -> new PastEvent("paid", prefix + i, new byte[10]));
        call.accept("remember one", () -> store.remember(0, events.subList(0, 1), LEASE));
        call.accept("remember", () -> store.remember(0, events, LEASE));
        call.accept("remember again", () -> store.remember(0, events, LEASE));
        call.accept("recall", () -> assertAll(store.recall(0, "paid", LEASE, BATCH), PastEvent.class));
    }

    private void define() {
        Instant since = store.renew(0, List.of(), LEASE).now();
        call.accept(
                "define",
                () -> assertThat(store.define(0, prefix, 1, new byte[10])).isTrue());
        call.accept(
                "define again",
                () -> assertThat(store.define(0, prefix, 1, new byte[10])).isFalse());
        call.accept(
                "definition", () -> assertThat(store.definition(0, prefix, 1)).isPresent());
        call.accept(
                "highest definition",
                () -> assertThat(store.definition(0, prefix, 0)).isPresent());
        Definition defined = store.definition(0, prefix, 0).orElseThrow();
        call.accept(
                "definitions",
                () -> assertThat(store.definitions(0, since, null, BATCH)).hasSize(1));
        call.accept(
                "next definitions",
                () -> assertThat(store.definitions(0, since, defined, BATCH)).isEmpty());
    }

    private void keepHouse() {
        call.accept("forwarded", () -> store.forwarded(0, ids));
        call.accept(
                "knock",
                () -> assertThat(store.wakeStuck(0, List.of("none", "order?"), "new"))
                        .isZero());
        call.accept("shorten leases", () -> store.shortenLeases(0, List.of("none", "order?"), LEASE, LEASE));
        call.accept("purge", () -> store.purge(0, Instant.EPOCH.plusNanos(2_000), Optional.empty(), BATCH));
        call.accept("leave", () -> store.leave(0, "node"));
    }
}
