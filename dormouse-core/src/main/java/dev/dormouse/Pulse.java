package dev.dormouse;

import dev.dormouse.store.Count;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * How it goes, of all nodes together: what a dashboard shows. Thread-safe. Nothing here counts or scans a whole table,
 * however many runs there are: a number that would need it is an estimate and says so ({@link Count#exact}).
 *
 * <p>What has happened is added up by each node in its memory, and written down at most once a second, if anything has
 * changed: numbers are up to a second old, and a node that crashes takes up to a second of its counts with it. Slots of 10
 * seconds are kept for 2 hours, slots of 5 minutes for 8 days. Starts in a transaction of yours are not among those that
 * were started, because nobody tells the engine whether you commit.
 *
 * <p>Runs are workflows here; timers, schedules, events and single activities are not among them.
 */
public interface Pulse {

    /** The numbers at the top of the page; today begins at midnight in this machine's time zone. */
    default Overview overview() {
        return overview(ZoneId.systemDefault());
    }

    /** The same, where today begins at midnight in this time zone. */
    Overview overview(ZoneId zone);

    /**
     * What has happened in the last while, slot by slot, empty ones included.
     *
     * @param span up to 8 days; slots are of 10 seconds for spans of up to 2 hours, and of 5 minutes for longer ones
     */
    Throughput throughput(Duration span);

    /** What is due next, all kinds of waiting together, in order; what is overdue comes first. */
    Upcoming upcoming(UpcomingOptions options);

    /** How many alarms are due when. */
    Histogram histogram(Span span);

    /** How many runs of each queue are due and wait for room, by name; queues in which none does may be missing. */
    Map<String, Count> queueDepths();

    /**
     * Returns what is due for 10 seconds or more and no living node executes: workflow types that no node has (any more),
     * and queues that no node serves. One for each type and queue, with the first run of it.
     */
    List<Unserved> unserved();

    /**
     * Returns where several runs stand, as lists show them, by run id. Reads once for each shard. Runs that do not exist
     * (any more) are left out.
     *
     * @param workflowIds the workflow id of each run, by run id
     */
    Map<UUID, RunDescription> runs(Map<UUID, String> workflowIds);

    /** Nodes that live, and those that were seen within the last hour and have not left. */
    List<NodeInfo> nodes();

    /**
     * @param running in the memory of a node
     * @param waiting suspended, or not begun
     * @param failed failed or timed out, as long as they are kept
     * @param overdue alarms that have passed some time ago, and nobody has acted on them
     * @param timers pending timers without a workflow, and those that were set in SQL
     * @param latenessP99 of all timers that have fired in the last 15 minutes; empty where none has
     */
    record Overview(
            Instant now,
            Count running,
            Count waiting,
            Count completedToday,
            Count failed,
            Count stuck,
            Count overdue,
            Count timers,
            Optional<Duration> latenessP99) {}

    /**
     * @param type of the runs, or the family or activity interface
     * @param queue that they are in; empty for none
     * @param since when the first of them was due
     * @param workflowId of that run
     * @param text what is wrong, and what to do about it
     */
    record Unserved(String type, String queue, Instant since, String workflowId, String text) {}

    record Throughput(Instant now, Duration span, Duration slotLength, List<Slot> slots) {}

    /**
     * @param at when the slot begins
     * @param closed cancelled, terminated, or continued as another run
     * @param steps attempts of steps that have ended
     * @param fired timers, sleeps, deadlines, retries and delayed starts that have come
     */
    record Slot(
            Instant at,
            long started,
            long completed,
            long failed,
            long closed,
            long steps,
            long fired,
            long takeovers,
            Optional<Duration> latenessP50,
            Optional<Duration> latenessP99) {}

    /**
     * @param items may be fewer than asked for, even none, although there is a next page: a page looks at a bounded number
     *     of rows
     * @param next hand it to {@link UpcomingOptions#page}; empty when this was the last page
     */
    record Upcoming(Instant now, List<Due> items, Optional<String> next) {}

    /**
     * @param id of the timer or schedule; otherwise the workflow id
     * @param name the timer's handler, or what it executes; otherwise the type
     * @param run what waits; empty for a timer that was set in SQL
     */
    record Due(DueKind kind, String id, String name, Instant fireAt, boolean overdue, Optional<DueRun> run) {}

    record DueRun(String workflowId, UUID runId, String type) {}

    /** What is waited for. */
    enum DueKind {
        /** A timer without a workflow. */
        TIMER,
        /** A timer that was set in SQL, see {@link TimersInSql}. */
        SQL,
        /** A sleep, or the deadline of a wait. */
        SLEEP,
        /** The next attempt of a step. */
        RETRY,
        /** The end of the time that a run has. */
        TIMEOUT,
        /** A run that is to begin then. */
        START,
        /** An activity that has paused. */
        PAUSE,
        /** The next time of a schedule. */
        SCHEDULE
    }

    /** How far to look ahead. */
    enum Span {
        HOUR,
        DAY,
        WEEK,
        /** Up to the last alarm there is. */
        ALL
    }

    /** @param total of all buckets */
    record Histogram(
            Instant now, Span span, Instant from, Instant to, Count total, Count overdue, List<Bucket> buckets) {}

    /** From one instant, inclusive, to another. */
    record Bucket(Instant from, Instant to, Count count) {}

    /**
     * @param name for people
     * @param alive whether it was seen lately
     * @param slots how many runs may execute there at a time
     * @param recovered how many runs it has taken over since it began
     */
    record NodeInfo(
            String id,
            String name,
            String build,
            Instant startedAt,
            Instant seenAt,
            boolean alive,
            List<String> lanes,
            int executing,
            int parked,
            int slots,
            Duration leasePeriod,
            long recovered) {}
}
