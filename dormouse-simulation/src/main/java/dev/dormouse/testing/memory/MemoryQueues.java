package dev.dormouse.testing.memory;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.queue.QueueClaim;
import dev.dormouse.store.queue.QueueClaimed;
import dev.dormouse.store.queue.QueueTurn;
import dev.dormouse.store.run.Claim;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.Queued;
import dev.dormouse.store.run.RunRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

/** The queue positions of runs, the used rates, and queue claims. Guarded by the store's lock. */
final class MemoryQueues {
    record KeyOfQueue(String queue, String key) {}

    final UndoLog.Table<UUID, Queued> places;
    private final UndoLog.Table<String, Instant> rates;
    private final UndoLog.Table<KeyOfQueue, Instant> keyRates;

    MemoryQueues(UndoLog journal) {
        places = journal.newTable(MemoryTables.BY_TIME);
        rates = journal.newTable(String::compareTo);
        keyRates = journal.newTable(Comparator.comparing(KeyOfQueue::queue).thenComparing(KeyOfQueue::key));
    }

    QueueClaimed claim(MemoryTables tables, QueueClaim claim, MemoryStore store, Instant now) {
        Instant usedUntil = rates.rows().getOrDefault(claim.queue(), Instant.EPOCH);
        QueueTurn turn = new QueueTurn(claim, now, leases(tables, claim, now), usedUntil);
        List<QueueTurn.Candidate> candidates = candidates(tables, claim, store, turn, now);
        QueueTurn.Decision decision = turn.decide(candidates, keysUsedUntil(claim.queue()));
        remember(claim.queue(), decision, now);
        decision.voided().forEach(runId -> tables.putRun(voided(store, row(tables, runId))));
        decision.moved().forEach((runId, at) -> tables.putRun(moved(row(tables, runId), at)));
        List<Claimed.Run> runs = new ArrayList<>();
        Claim single = asClaim(claim);
        decision.taken().forEach(runId -> runs.add(store.claim(tables, row(tables, runId), single, now)));
        return QueueClaimed.of(now, runs, decision);
    }

    private QueueTurn.Leases leases(MemoryTables tables, QueueClaim claim, Instant now) {
        if (claim.total() == 0) {
            return QueueTurn.Leases.NONE;
        }
        Instant endedBy = QueueTurn.endedBy(claim, now);
        List<RunRow> leased = tables.runs.rows().values().stream()
                .filter(row -> row.lease() != RunRow.NO_LEASE && isIn(claim.queue(), row))
                .sorted(Comparator.comparing(MemoryStore::alarm))
                .toList();
        List<UUID> ended = leased.stream()
                .filter(row -> !MemoryStore.alarm(row).isAfter(endedBy))
                .map(RunRow::runId)
                .limit(QueueTurn.mostEnded(claim))
                .toList();
        Instant nextEnd = leased.stream()
                .map(MemoryStore::alarm)
                .filter(end -> end.isAfter(now))
                .findFirst()
                .orElse(null);
        boolean areAll = ended.size() < QueueTurn.mostEnded(claim);
        return new QueueTurn.Leases(leased.size() - ended.size(), nextEnd, ended, areAll);
    }

    private List<QueueTurn.Candidate> candidates(
            MemoryTables tables, QueueClaim claim, MemoryStore store, QueueTurn turn, Instant now) {
        Claim single = asClaim(claim);
        List<QueueTurn.Candidate> due = tables.byAlarm(claim.lanes())
                .filter(row -> isIn(claim.queue(), row))
                .filter(row -> store.isReached(MemoryStore.alarm(row), now) && MemoryRules.mayClaim(row, single, now))
                .map(this::candidate)
                .sorted(QueueTurn.Candidate.ORDER)
                .toList();
        return Stream.of(true, false)
                .flatMap(begins -> due.stream()
                        .filter(run -> QueueTurn.begins(run.reason()) == begins)
                        .limit(turn.window(begins)))
                .sorted(QueueTurn.Candidate.ORDER)
                .toList();
    }

    private QueueTurn.Candidate candidate(RunRow row) {
        Queued place = Objects.requireNonNull(places.get(row.runId()));
        return new QueueTurn.Candidate(
                row.runId(), place.priority(), MemoryStore.alarm(row), row.wakeReason(), place.key());
    }

    private boolean isIn(String queue, RunRow row) {
        Queued place = places.get(row.runId());
        return place != null && place.queue().equals(queue);
    }

    private Map<String, Instant> keysUsedUntil(String queue) {
        Map<String, Instant> used = new HashMap<>();
        keyRates.rows().forEach((key, until) -> {
            if (key.queue().equals(queue)) {
                used.put(key.key(), until);
            }
        });
        return used;
    }

    /** Stores the used rates. A rate used up to now or earlier is equal to an unused one, so it is removed. */
    private void remember(String queue, QueueTurn.Decision decision, Instant now) {
        if (decision.usedUntil() != null) {
            rates.put(queue, decision.usedUntil());
        }
        decision.keysUsedUntil().forEach((key, until) -> keyRates.put(new KeyOfQueue(queue, key), until));
        List<KeyOfQueue> old = keyRates.rows().entrySet().stream()
                .filter(rate -> !rate.getValue().isAfter(now))
                .map(Map.Entry::getKey)
                .toList();
        old.forEach(keyRates::remove);
    }

    private static RunRow row(MemoryTables tables, UUID runId) {
        return Objects.requireNonNull(tables.runs.get(runId));
    }

    private static RunRow moved(RunRow before, Instant at) {
        RowEdit row = new RowEdit(before);
        row.wakeAt = at;
        row.wakeReason = WakeReason.RATE;
        return row.toRow();
    }

    private static RunRow voided(MemoryStore store, RunRow before) {
        RowEdit row = new RowEdit(before);
        store.countTakeover(before, row);
        row.status = RunStatus.PENDING;
        row.lease = RunRow.NO_LEASE;
        row.owner = "";
        return row.toRow();
    }

    /** Returns a plain claim with the fields that both kinds of claims share. */
    private static Claim asClaim(QueueClaim claim) {
        return new Claim(
                claim.lanes(),
                claim.limit(),
                claim.lease(),
                claim.leasePeriod(),
                claim.owner(),
                claim.build(),
                claim.patience(),
                claim.takeOverBefore(),
                claim.floor());
    }
}
