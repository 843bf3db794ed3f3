package dev.dormouse.store.queue;

import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.base.Micros;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The decision about one {@link QueueClaim}, which is the same for all stores. In one transaction, a store
 *
 * <ol>
 *   <li>keeps other claims of the queue away,
 *   <li>reads the leases and the state of the rate,
 *   <li>locks as many due runs as {@link #window} says, and
 *   <li>applies what {@link #decide} returns.
 * </ol>
 *
 * <p>For stores. Not thread-safe.
 */
public final class QueueTurn {
    /** The number of runs without room for their key that one turn moves out of the way. */
    private static final int MOVED_AT_ONCE = 100;

    /**
     * The number of excess leases that one turn revokes. There are excess leases after the queue's limit was lowered.
     */
    private static final int VOIDED_AT_ONCE = 100;

    private final QueueClaim claim;
    private final Instant now;
    private final Leases leases;
    private final @Nullable Pace pace;
    private final Map<String, Pace> keyPaces = new HashMap<>();
    private final List<UUID> taken = new ArrayList<>();
    private final Map<UUID, Instant> moved = new HashMap<>();
    private int free;
    private boolean beginnersLeft;
    private boolean othersLeft;

    /**
     * Creates a turn.
     *
     * @param usedUntil the state of the whole queue's rate, from {@link Pace#usedUntil}
     */
    public QueueTurn(QueueClaim claim, Instant now, Leases leases, Instant usedUntil) {
        this.claim = claim;
        this.now = now;
        this.leases = leases;
        this.pace = claim.rate() == null ? null : Pace.atMostAPeriodAhead(claim.rate(), usedUntil, now);
        this.free = Math.max(0, Math.min(claim.limit(), roomForLeases(0)));
    }

    /**
     * The leases of a queue's runs, in all lanes. Needed only if the queue has a limit.
     *
     * @param counted the number of leases that cannot be revoked; any number at or above the limit has the same effect
     * @param nextEnd the earliest end after now among those leases; null if there is none
     * @param ended runs whose leases can be revoked, oldest end first. Their rows are locked, so that no lease is
     *     renewed before this turn ends
     * @param areAll true if {@code ended} contains all leases that can be revoked. If false, nothing is claimed until
     *     there are fewer
     */
    public record Leases(int counted, @Nullable Instant nextEnd, List<UUID> ended, boolean areAll) {
        /** The leases of a queue without a limit, which need not be read. */
        public static final Leases NONE = new Leases(0, null, List.of(), true);
    }

    /** A due run whose row is locked until this turn ends. */
    public record Candidate(UUID runId, int priority, Instant alarm, WakeReason reason, String key) {
        /** The order in which runs are taken: highest priority, then oldest alarm, then run id. */
        public static final Comparator<Candidate> ORDER = Comparator.comparingInt(Candidate::priority)
                .reversed()
                .thenComparing(Candidate::alarm)
                .thenComparing(Candidate::runId, QueueTurn::compareBytes);

        boolean begins() {
            return QueueTurn.begins(reason);
        }
    }

    /**
     * The changes that the store must apply.
     *
     * @param taken runs to be leased, in order
     * @param moved runs whose alarms are moved to these instants, with the reason {@link WakeReason#RATE}
     * @param voided runs of dead nodes whose leases are revoked, so that a late renewal cannot exceed the limit
     * @param usedUntil the new state of the whole queue's rate; null if it has not changed
     * @param keysUsedUntil the new states of the keys' rates, for the keys that were considered
     * @param more see {@link QueueClaimed}
     * @param next see {@link QueueClaimed}
     */
    public record Decision(
            List<UUID> taken,
            Map<UUID, Instant> moved,
            List<UUID> voided,
            @Nullable Instant usedUntil,
            Map<String, Instant> keysUsedUntil,
            boolean more,
            @Nullable Instant next) {
        /** Returns true if no run is taken, moved or revoked. The state of a rate has not changed then either. */
        public boolean changesNothing() {
            return taken.isEmpty() && moved.isEmpty() && voided.isEmpty();
        }
    }

    /**
     * Returns true if a run that is claimed for this reason begins, or begins a new attempt. Only such runs are subject
     * to rates.
     */
    public static boolean begins(WakeReason reason) {
        return reason == WakeReason.START || reason == WakeReason.RETRY;
    }

    /** Returns the instant for revocation: leases that ended at this instant or before can be revoked. */
    public static Instant endedBy(QueueClaim claim, Instant now) {
        Instant wanted = claim.takeOverBefore();
        return wanted.isBefore(now) ? wanted.truncatedTo(ChronoUnit.MICROS) : now;
    }

    /**
     * Returns the maximum number of revocable leases that the store reads. If it finds that many, there may be more.
     */
    public static int mostEnded(QueueClaim claim) {
        return claim.total() + VOIDED_AT_ONCE;
    }

    /**
     * Returns how many due runs the store must read, in {@link Candidate#ORDER}. It may read more.
     *
     * @param begins true for the runs that begin, false for all others
     */
    public int window(boolean begins) {
        int takeable = begins && pace != null ? Math.min(free, pace.room()) : free;
        return (begins && claim.keyRate() != null && takeable > 0 ? Math.max(takeable, MOVED_AT_ONCE) : takeable) + 1;
    }

    /**
     * Decides which candidates are taken, moved or left. Call it once.
     *
     * @param candidates the locked runs, in {@link Candidate#ORDER}
     * @param keysUsedUntil the known states of the rates of their keys
     * @return the changes that the store must apply in the same transaction
     */
    public Decision decide(List<Candidate> candidates, Map<String, Instant> keysUsedUntil) {
        Instant usedBefore = usedUntil();
        candidates.forEach(candidate -> consider(candidate, keysUsedUntil));
        long beginners = candidates.stream().filter(Candidate::begins).count();
        boolean mayHideMore = claim.keyRate() != null && beginners >= MOVED_AT_ONCE;
        boolean more = beginnersLeft || othersLeft || mayHideMore || !leases.areAll();
        Map<String, Instant> keys = new HashMap<>();
        keyPaces.forEach((key, used) -> keys.put(key, used.usedUntil()));
        return new Decision(
                taken,
                moved,
                voided(),
                usedUntil().equals(usedBefore) ? null : usedUntil(),
                keys,
                more,
                more ? next() : null);
    }

    private Instant usedUntil() {
        return pace == null ? Instant.EPOCH : pace.usedUntil();
    }

    private void consider(Candidate candidate, Map<String, Instant> keysUsedUntil) {
        if (candidate.begins()) {
            begin(candidate, keysUsedUntil);
        } else if (free == 0) {
            othersLeft = true;
        } else {
            if (pace != null && candidate.reason() == WakeReason.RATE) {
                pace.use();
            }
            take(candidate);
        }
    }

    private void begin(Candidate candidate, Map<String, Instant> keysUsedUntil) {
        if (free == 0 || pace != null && !pace.hasRoom()) {
            beginnersLeft = true;
            return;
        }
        Pace keyPace = keyPace(candidate.key(), keysUsedUntil);
        if (keyPace != null && !keyPace.hasRoom()) {
            moved.put(candidate.runId(), keyPace.next());
            keyPace.use();
            return;
        }
        if (keyPace != null) {
            keyPace.use();
        }
        if (pace != null) {
            pace.use();
        }
        take(candidate);
    }

    private @Nullable Pace keyPace(String key, Map<String, Instant> keysUsedUntil) {
        QueueClaim.Rate rate = claim.keyRate();
        return rate == null
                ? null
                : keyPaces.computeIfAbsent(
                        key, any -> new Pace(rate, keysUsedUntil.getOrDefault(key, Instant.EPOCH), now));
    }

    private void take(Candidate candidate) {
        taken.add(candidate.runId());
        free--;
    }

    private int roomForLeases(int newOnes) {
        if (claim.total() == 0) {
            return Integer.MAX_VALUE;
        }
        return leases.areAll() ? Math.max(0, claim.total() - leases.counted() - newOnes) : 0;
    }

    /** Returns as many ended leases as could exceed the limit if they were renewed now. */
    private List<UUID> voided() {
        if (claim.total() == 0 || taken.isEmpty() && leases.areAll()) {
            return List.of();
        }
        Set<UUID> replaced = new HashSet<>(taken);
        List<UUID> rest = leases.ended().stream()
                .filter(runId -> !replaced.contains(runId))
                .toList();
        int tooMany = leases.counted() + taken.size() + rest.size() - claim.total();
        return rest.subList(0, Math.max(0, Math.min(rest.size(), tooMany)));
    }

    private @Nullable Instant next() {
        if (!leases.areAll()) {
            return now;
        }
        if (roomForLeases(taken.size()) == 0) {
            Instant newEnd = end();
            Instant nextEnd = leases.nextEnd();
            return nextEnd != null && nextEnd.isBefore(newEnd) ? nextEnd : newEnd;
        }
        return pace != null && !pace.hasRoom() && beginnersLeft && !othersLeft ? pace.next() : null;
    }

    /** Returns the end of a lease of this claim. */
    public Instant end() {
        long start = Micros.of(now);
        long length = Math.max(0, Micros.of(claim.leasePeriod()));
        return length > Long.MAX_VALUE - start ? Micros.MAX : Micros.toInstant(start + length);
    }

    private static int compareBytes(UUID one, UUID other) {
        int high = Long.compareUnsigned(one.getMostSignificantBits(), other.getMostSignificantBits());
        return high != 0 ? high : Long.compareUnsigned(one.getLeastSignificantBits(), other.getLeastSignificantBits());
    }
}
