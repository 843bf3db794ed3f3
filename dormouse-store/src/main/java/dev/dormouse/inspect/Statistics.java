package dev.dormouse.inspect;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Cluster-wide statistics, as shown on the dashboard. Thread-safe. No method counts or scans a whole table, however
 * many runs there are: a number that would need it is an estimate, and is marked as such ({@link Count#exact}).
 *
 * <p>Each node counts events in its memory and writes the counts at most once a second, if they have changed. So
 * numbers are up to a second old, and a node that crashes loses up to a second of its counts. Slots of 10 seconds are
 * kept for 2 hours, slots of 5 minutes for 8 days. Starts in your own transaction are not counted as started, because
 * the engine does not learn if you commit.
 *
 * <p>In these statistics, runs are workflows; timers, schedules, events and stand-alone activities are not counted as
 * runs.
 *
 * <p>In addition to the codes that a method names, all methods throw {@link dev.dormouse.error.DormouseException} with
 * DORMOUSE_CLOSED after the Dormouse was closed, and STORE_UNAVAILABLE if the store does not respond.
 */
public interface Statistics {

    /** Returns the summary for the top of the page. Today begins at midnight in this machine's time zone. */
    default Overview overview() {
        return overview(ZoneId.systemDefault());
    }

    /**
     * Returns the summary for the top of the page. Today begins at midnight in {@code zone}.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code zone} is null
     */
    Overview overview(ZoneId zone);

    /**
     * Returns the counts of the last {@code span}, slot by slot, including empty slots.
     *
     * @param span 10 seconds to 8 days; slots are 10 seconds long for spans of up to 2 hours, and 5 minutes for
     *     longer spans
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code span} is out of range
     */
    Throughput throughput(Duration span);

    /**
     * Lists the next alarms of all kinds, in order; overdue alarms come first.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code options} is null, or its page is invalid
     */
    Upcoming upcoming(UpcomingOptions options);

    /**
     * Returns the number of alarms per time bucket.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code span} is null
     */
    Histogram histogram(Span span);

    /**
     * Returns the number of runs that are due and wait for a slot, by queue. Queues without waiting runs may be
     * missing.
     */
    Map<String, Count> queueDepths();

    /**
     * Returns the types and queues whose first run has been due for 10 seconds or more without being executed: workflow
     * types that no live node has, and queues that no live node serves. There is one entry per type and queue, with its
     * first run.
     */
    List<Unserved> unserved();

    /**
     * Returns the current state of several runs by run id, without memo and steps. Reads once for each shard. Runs that do
     * not exist are left out.
     *
     * @param workflowIds the workflow id of each run, by run id
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code workflowIds} is null
     */
    Map<UUID, RunDescription> runs(Map<UUID, String> workflowIds);

    /** Returns the live nodes, and the nodes that were seen within the last hour and have not shut down. */
    List<NodeInfo> nodes();

    /**
     * The summary for the top of the page.
     *
     * @param now the instant of the summary, by the store's clock
     * @param running runs in the memory of a node
     * @param waiting runs that are suspended or have not begun
     * @param completedToday runs that completed since midnight
     * @param failed runs that failed or timed out, as long as they are kept
     * @param stuck runs that cannot continue, see {@link RunStatus#STUCK}
     * @param overdue alarms that passed some time ago without any node acting on them
     * @param timers pending timers without a workflow, and pending timers that were scheduled in SQL
     * @param latenessP99 the 99th percentile of the lateness of all timers that fired in the last 15 minutes; empty
     *     if none fired
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
     * A workflow type or queue whose runs no live node executes.
     *
     * @param type the workflow type, the family or the activity interface
     * @param queue the queue of the runs; empty for none
     * @param since the instant at which the first of the runs was due
     * @param workflowId the workflow id of the first run
     * @param text the problem and the recommended action
     */
    record Unserved(String type, String queue, Instant since, String workflowId, String text) {}

    /**
     * The counts of a span of time.
     *
     * @param now the end of the span, by the store's clock
     * @param span the requested length
     * @param slotLength the length of each slot: 10 seconds or 5 minutes
     * @param slots the slots of the span in order, including empty ones; the last is the present, unfinished one
     */
    record Throughput(Instant now, Duration span, Duration slotLength, List<Slot> slots) {}

    /**
     * The counts of one time slot.
     *
     * @param at the beginning of the slot
     * @param started runs that were started
     * @param completed runs that completed
     * @param failed runs that failed or timed out
     * @param closed runs that were cancelled, terminated or continued as new
     * @param steps attempts of steps that ended
     * @param fired timers, sleeps, deadlines, retries and delayed starts that fired
     * @param takeovers runs that a node took over from a node that was gone
     * @param latenessP50 the median of the lateness of {@code fired}; empty if none fired
     * @param latenessP99 the 99th percentile of the lateness of {@code fired}; empty if none fired
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
     * A page of alarms.
     *
     * @param now the instant of the page, by the store's clock
     * @param items may have fewer items than the limit, even none, although there is a next page: a page examines a
     *     bounded number of rows
     * @param next the argument for {@link UpcomingOptions#page}; empty on the last page
     */
    record Upcoming(Instant now, List<Due> items, Optional<String> next) {}

    /**
     * An alarm.
     *
     * @param kind the meaning of the alarm
     * @param id the id of the timer or schedule; otherwise the workflow id
     * @param name the timer's handler, or the SQL that it executes; otherwise the type
     * @param fireAt when it is due
     * @param overdue true if it passed more than 2 seconds ago, or if its run crashed its nodes and is delayed
     * @param run the waiting run; empty for a timer that was scheduled in SQL
     */
    record Due(DueKind kind, String id, String name, Instant fireAt, boolean overdue, Optional<DueRun> run) {}

    /**
     * The run that an alarm belongs to.
     *
     * @param workflowId the workflow id; of a timer or schedule, the internal id of its run
     * @param runId the id of the run
     * @param type the workflow type; of a timer or schedule, the internal type of its run
     */
    record DueRun(String workflowId, UUID runId, String type) {}

    /** The kind of an alarm. */
    enum DueKind {
        /** A timer without a workflow. */
        TIMER,
        /** A timer that was scheduled in SQL, see {@code SqlTimers}. */
        SQL,
        /** A sleep, or the deadline of a wait. */
        SLEEP,
        /** The next attempt of a step. */
        RETRY,
        /** The execution timeout of a run. */
        TIMEOUT,
        /** The delayed start of a run. */
        START,
        /** The end of an activity's pause. */
        PAUSE,
        /** The next instant of a schedule. */
        SCHEDULE
    }

    /** The range of a histogram, from now. */
    enum Span {
        /** The next hour. */
        HOUR,
        /** The next 24 hours. */
        DAY,
        /** The next 7 days. */
        WEEK,
        /** Up to the last alarm, but at least the next hour. */
        ALL
    }

    /**
     * The number of alarms per time bucket.
     *
     * @param now the instant of the histogram, by the store's clock
     * @param span the requested range
     * @param from the start of the first bucket, which is {@code now}
     * @param to the end of the last bucket
     * @param total the sum of all buckets, without {@code overdue}
     * @param overdue alarms that passed some time ago without any node acting on them
     * @param buckets 60 buckets of equal length, in order
     */
    record Histogram(
            Instant now, Span span, Instant from, Instant to, Count total, Count overdue, List<Bucket> buckets) {}

    /**
     * The number of alarms in a part of a histogram.
     *
     * @param from the start, inclusive
     * @param to the end, exclusive
     * @param count the number of alarms
     */
    record Bucket(Instant from, Instant to, Count count) {}

    /**
     * A node of the cluster.
     *
     * @param id the id of the node, which is new at each start
     * @param name the display name
     * @param build the build id of its code
     * @param startedAt when it opened
     * @param seenAt when it last reported that it is alive
     * @param alive true if the node was seen recently: within the time of three sweeps ({@code sweepInterval}), 30 s by default
     * @param silent true if the node is {@code alive}, but has not reported for one and a half sweeps. It has probably died,
     *     stands still, or cannot reach the store.
     * @param lanes the lanes that it serves: workflow types, activity interfaces and timer handlers, and queues
     * @param executing the number of runs that execute there
     * @param parked the number of runs that wait in its memory
     * @param slots the maximum number of runs that execute there at the same time
     * @param leasePeriod how long it can be silent before other nodes take over its runs
     * @param recovered the number of runs that it has taken over since it started
     */
    record NodeInfo(
            String id,
            String name,
            String build,
            Instant startedAt,
            Instant seenAt,
            boolean alive,
            boolean silent,
            List<String> lanes,
            int executing,
            int parked,
            int slots,
            Duration leasePeriod,
            long recovered) {}
}
