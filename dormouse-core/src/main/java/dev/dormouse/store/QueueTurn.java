package dev.dormouse.store;

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
 * What one {@link QueueClaim} comes to, for all stores alike. A store keeps other claims of the queue away, reads the
 * leases and the state of the rate, asks {@link #window} how many due runs it must look at, locks them, and does what
 * {@link #decide} says, all in one transaction.
 *
 * <p>For stores; not safe for use by several threads.
 */
public final class QueueTurn {
    /** How many runs whose key has no room are moved out of the way at a time. */
    private static final int MOVED_AT_ONCE = 100;

    /** How many leases too many are taken away at a time: there were fewer before the queue's limit was lowered. */
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
     * @param usedUntil how far the rate of the whole queue was used up, by {@link Pace#usedUntil}
     */
    public QueueTurn(QueueClaim claim, Instant now, Leases leases, Instant usedUntil) {
        this.claim = claim;
        this.now = now;
        this.leases = leases;
        this.pace = claim.rate() == null ? null : Pace.atMostAPeriodAhead(claim.rate(), usedUntil, now);
        this.free = Math.max(0, Math.min(claim.limit(), roomForLeases(0)));
    }

    /**
     * The leases of a queue's runs, in all lanes. Only needed where the queue has a limit.
     *
     * @param counted how many there are that cannot be taken away; any number from the limit on says the same
     * @param nextEnd the end of the first of those that ends after now, if any
     * @param ended runs whose leases may be taken away, oldest end first. Locked: nobody can renew them before this turn
     *     is over
     * @param areAll whether those are all that may be taken away. If not, nothing is claimed until they are fewer
     */
    public record Leases(int counted, @Nullable Instant nextEnd, List<UUID> ended, boolean areAll) {
        public static final Leases NONE = new Leases(0, null, List.of(), true);
    }

    /** A run that is due and that nobody else can change before this turn is over. */
    public record Candidate(UUID runId, int priority, Instant alarm, WakeReason reason, String key) {
        public static final Comparator<Candidate> ORDER = Comparator.comparingInt(Candidate::priority)
                .reversed()
                .thenComparing(Candidate::alarm)
                .thenComparing(Candidate::runId, QueueTurn::compareBytes);

        boolean begins() {
            return QueueTurn.begins(reason);
        }
    }

    /**
     * What the store must do.
     *
     * @param taken runs to be leased, in order
     * @param moved runs whose alarms are to be moved, with the reason {@link WakeReason#RATE}
     * @param voided runs whose leases are to be taken away
     * @param usedUntil how far the rate of the whole queue is used up now; null where nothing has changed
     * @param keysUsedUntil the same for the keys for which it has changed
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
        public boolean changesNothing() {
            return taken.isEmpty() && moved.isEmpty() && voided.isEmpty();
        }
    }

    /** Whether a run that is claimed for this reason begins, or begins anew: then rates hold it up. */
    public static boolean begins(WakeReason reason) {
        return reason == WakeReason.START || reason == WakeReason.RETRY;
    }

    /** Leases that ended at this instant or before may be taken away. */
    public static Instant endedBy(QueueClaim claim, Instant now) {
        Instant wanted = claim.takeOverBefore();
        return wanted.isBefore(now) ? wanted.truncatedTo(ChronoUnit.MICROS) : now;
    }

    /** How many leases that may be taken away the store must look at; where it finds so many, there may be more. */
    public static int mostEnded(QueueClaim claim) {
        return claim.total() + VOIDED_AT_ONCE;
    }

    /**
     * How many due runs the store must look at, the first in {@link Candidate#ORDER}: of those that begin, and of all
     * others. It may look at more.
     */
    public int window(boolean begins) {
        int takeable = begins && pace != null ? Math.min(free, pace.room()) : free;
        return (begins && claim.keyRate() != null && takeable > 0 ? Math.max(takeable, MOVED_AT_ONCE) : takeable) + 1;
    }

    /**
     * @param candidates in {@link Candidate#ORDER}
     * @param keysUsedUntil how far the rates of their keys were used up, as far as that is known
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

    /** As many leases as could make one too many if they were renewed now. */
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

    /** Where a lease of this claim ends. */
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
