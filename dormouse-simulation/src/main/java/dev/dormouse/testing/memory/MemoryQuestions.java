package dev.dormouse.testing.memory;

import dev.dormouse.store.event.Question;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The questions of one shard of a {@link MemoryStore}. Guarded by the store's lock. */
final class MemoryQuestions {
    /** A question and its answer, which is null at first. */
    private record Row(Question question, Instant askedAt, byte @Nullable [] answer) {}

    private static final Comparator<Row> OLDEST_FIRST = Comparator.comparing(Row::askedAt)
            .thenComparing(row -> row.question().id(), MemoryTables.BY_TIME);

    private final UndoLog.Table<UUID, Row> rows;

    MemoryQuestions(UndoLog journal) {
        rows = journal.newTable(MemoryTables.BY_TIME);
    }

    void ask(Question asked, Instant now) {
        if (rows.get(asked.id()) == null) {
            byte[] payload = asked.payload().clone();
            Question kept = new Question(asked.id(), asked.runId(), asked.workflowId(), asked.lane(), payload);
            rows.put(asked.id(), new Row(kept, now, null));
        }
    }

    List<Question> open(List<String> lanes, int limit) {
        return rows.rows().values().stream()
                .filter(row ->
                        row.answer() == null && lanes.contains(row.question().lane()))
                .sorted(OLDEST_FIRST)
                .limit(limit)
                .map(Row::question)
                .toList();
    }

    void reply(UUID id, byte[] answer) {
        Row row = rows.get(id);
        if (row != null && row.answer() == null) {
            rows.put(id, new Row(row.question(), row.askedAt(), answer.clone()));
        }
    }

    Optional<byte[]> reply(UUID id) {
        return Optional.ofNullable(rows.get(id)).map(Row::answer).map(byte[]::clone);
    }

    int forget(List<UUID> ids, Duration age, Instant now) {
        List<UUID> gone = rows.rows().values().stream()
                .filter(row -> ids.contains(row.question().id()) || isOlder(row, age, now))
                .map(row -> row.question().id())
                .toList();
        gone.forEach(rows::remove);
        return gone.size();
    }

    private static boolean isOlder(Row row, Duration age, Instant now) {
        return Duration.between(row.askedAt(), now).compareTo(age) > 0;
    }
}
