package dev.dormouse.testing.memory;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.base.NodeRow;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.page.RunPage;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Purged;
import dev.dormouse.store.run.RunKind;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The tables of one shard of a {@link MemoryStore}, and queries that only read them. Guarded by the store's lock. */
final class MemoryTables {
    /** Orders ids as databases do: by their unsigned bytes. */
    static final Comparator<UUID> BY_TIME = (one, other) -> {
        int high = Long.compareUnsigned(one.getMostSignificantBits(), other.getMostSignificantBits());
        return high != 0 ? high : Long.compareUnsigned(one.getLeastSignificantBits(), other.getLeastSignificantBits());
    };

    private static final Comparator<RunRow> BY_WORKFLOW_ID =
            Comparator.comparing(RunRow::workflowId).thenComparing(RunRow::runId, BY_TIME);

    record EventKey(UUID runId, int seq) {}

    record MailKey(String workflowId, long position) {}

    record DedupKey(String workflowId, String key) {}

    final UndoLog.Table<UUID, RunRow> runs;
    final UndoLog.Table<String, UUID> current;
    final UndoLog.Table<EventKey, HistoryRow> history;
    final UndoLog.Table<MailKey, InboxMessage> inbox;
    final UndoLog.Table<DedupKey, Long> keys;
    final MemoryOutbox outbox;
    final UndoLog.Table<String, NodeRow> nodes;
    final MemoryQuestions questions;
    final MemoryNotes notes;
    final MemoryQueues queues;
    final MemorySubscriptions subscriptions;
    final MemoryPastEvents pastEvents;
    final MemoryDefinitions definitions;
    final Set<List<RunStatus>> changes = new HashSet<>();

    MemoryTables(UndoLog journal) {
        runs = journal.newTable(BY_TIME);
        current = journal.newTable(String::compareTo);
        history =
                journal.newTable(Comparator.comparing(EventKey::runId, BY_TIME).thenComparing(EventKey::seq));
        inbox = journal.newTable(Comparator.comparing(MailKey::workflowId).thenComparing(MailKey::position));
        keys = journal.newTable(Comparator.comparing(DedupKey::workflowId).thenComparing(DedupKey::key));
        outbox = new MemoryOutbox(journal);
        nodes = journal.newTable(String::compareTo);
        questions = new MemoryQuestions(journal);
        notes = new MemoryNotes(journal);
        queues = new MemoryQueues(journal);
        subscriptions = new MemorySubscriptions(journal);
        pastEvents = new MemoryPastEvents(journal);
        definitions = new MemoryDefinitions(journal);
    }

    /** Inserts or replaces the row of a run, and records the change of its status. */
    void putRun(RunRow row) {
        RunRow before = runs.get(row.runId());
        if (before != null && before.status() != row.status()) {
            changes.add(List.of(before.status(), row.status()));
        }
        runs.put(row.runId(), row);
    }

    Optional<RunRow> currentOf(String workflowId) {
        return Optional.ofNullable(current.get(workflowId)).map(runs::get);
    }

    NavigableMap<EventKey, HistoryRow> historyOf(UUID runId) {
        return history.rows().subMap(new EventKey(runId, 0), true, new EventKey(runId, Integer.MAX_VALUE), true);
    }

    NavigableMap<MailKey, InboxMessage> mailOf(String workflowId, long after) {
        return inbox.rows()
                .subMap(new MailKey(workflowId, after), false, new MailKey(workflowId, Long.MAX_VALUE), true);
    }

    List<InboxMessage> mailBetween(String workflowId, long after, long upTo) {
        return mailOf(workflowId, after).values().stream()
                .filter(mail -> mail.position() <= upTo)
                .toList();
    }

    void accept(Delivery delivery, long position, Instant now) {
        byte[] payload = delivery.payload().clone();
        InboxMessage mail = new InboxMessage(position, delivery.key(), delivery.kind(), now, payload);
        inbox.put(new MailKey(delivery.workflowId(), position), mail);
        keys.put(new DedupKey(delivery.workflowId(), delivery.key()), position);
    }

    void forgetKey(String workflowId, String key) {
        keys.remove(new DedupKey(workflowId, key));
    }

    /** Returns the runs of these lanes that have an alarm, earliest alarm first. */
    Stream<RunRow> byAlarm(List<String> lanes) {
        return runs.rows().values().stream()
                .filter(row -> row.wakeAt() != null && lanes.contains(row.lane()))
                .sorted(Comparator.comparing(RunRow::wakeAt).thenComparing(RunRow::runId, BY_TIME));
    }

    RunPage list(RunFilter filter, Optional<String> page, int limit) {
        Comparator<RunRow> order = filter.workflowIdPrefix() == null
                ? Comparator.comparing(RunRow::runId, BY_TIME).reversed()
                : BY_WORKFLOW_ID;
        Predicate<RunRow> isAfter = page.map(MemoryTables::positionOf)
                .<Predicate<RunRow>>map(last -> row -> order.compare(row, last) > 0)
                .orElse(row -> true);
        List<RunRow> found = runs.rows().values().stream()
                .filter(row -> matches(row, filter))
                .filter(isAfter)
                .sorted(order)
                .limit(limit + 1L)
                .toList();
        return found.size() <= limit
                ? new RunPage(found, null)
                : new RunPage(found.subList(0, limit), cursorOf(found.get(limit - 1)));
    }

    private static boolean matches(RunRow row, RunFilter filter) {
        return (filter.workflowIdPrefix() == null || row.workflowId().startsWith(filter.workflowIdPrefix()))
                && (filter.type() == null || row.type().equals(filter.type()))
                && (!filter.workflowsOnly() || RunKind.of(row.type()) == RunKind.WORKFLOW)
                && (filter.statuses().isEmpty() || filter.statuses().contains(row.status()));
    }

    private static String cursorOf(RunRow row) {
        return row.runId() + row.workflowId();
    }

    /** Returns a row that sorts at the cursor's position. */
    private static RunRow positionOf(String cursor) {
        int length = new UUID(0, 0).toString().length();
        UUID runId = UUID.fromString(cursor.substring(0, length));
        NextState any = NextState.pending(Alarm.NONE, WakeReason.START);
        Start start = new Start(cursor.substring(length), runId, "", "", "", any, Append.nothing(0), Set.of());
        return RowEdit.inserting(0, start, Instant.EPOCH).toRow();
    }

    Purged purge(Instant closedBefore, Optional<UUID> after, int limit) {
        NavigableMap<UUID, RunRow> rest =
                after.map(last -> runs.rows().tailMap(last, false)).orElse(runs.rows());
        List<RunRow> looked = rest.values().stream().limit(limit).toList();
        List<RunRow> gone = looked.stream()
                .filter(row -> row.closedAt() != null && row.closedAt().isBefore(closedBefore))
                .filter(row -> row.status() != RunStatus.CONTINUED || !isCurrent(row))
                .toList();
        gone.forEach(this::delete);
        return new Purged(
                gone.size(),
                looked.size() < limit
                        ? Optional.empty()
                        : Optional.of(looked.get(looked.size() - 1).runId()));
    }

    private boolean isCurrent(RunRow row) {
        return row.runId().equals(current.get(row.workflowId()));
    }

    private void delete(RunRow row) {
        new ArrayList<>(historyOf(row.runId()).keySet()).forEach(history::remove);
        notes.eraseAll(row.runId());
        runs.remove(row.runId());
        queues.places.remove(row.runId());
        if (isCurrent(row)) {
            current.remove(row.workflowId());
            deleteInbox(row.workflowId());
            subscriptions.eraseAll(row.workflowId());
        }
    }

    private void deleteInbox(String workflowId) {
        new ArrayList<>(mailOf(workflowId, 0).entrySet()).forEach(item -> {
            inbox.remove(item.getKey());
            keys.remove(new DedupKey(workflowId, item.getValue().key()));
        });
    }
}
