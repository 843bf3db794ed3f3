package dev.dormouse.engine;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.history.Event;
import dev.dormouse.history.History;
import dev.dormouse.store.Alarm;
import dev.dormouse.store.Append;
import dev.dormouse.store.Claimed;
import dev.dormouse.store.Commit;
import dev.dormouse.store.Fence;
import dev.dormouse.store.NextState;
import dev.dormouse.store.RunRow;
import dev.dormouse.store.RunStatus;
import dev.dormouse.store.WakeReason;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A run in this node's memory, from its start or claim until it is closed or evicted: the body of the run's thread. */
final class RunExecution implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(RunExecution.class);

    private final Engine engine;
    private final RunCode code;
    private final boolean takenOver;
    private final boolean first;
    private final long heldSince;
    private RunRow row;
    private @Nullable List<Event> history;
    private volatile @Nullable RunSession session;
    private volatile boolean stopped;
    private volatile boolean closing;
    private boolean ended;
    private @Nullable RunExecution successor;

    /** A run that was started here. */
    RunExecution(Engine engine, RunCode code, RunRow row, Event.RunStarted started) {
        this(engine, code, row, false, false);
        this.history = List.of(started);
    }

    /** A run that was claimed. */
    RunExecution(Engine engine, RunCode code, Claimed.Run run) {
        this(
                engine,
                code,
                run.row(),
                run.before() == RunStatus.RUNNING || run.before() == RunStatus.PARKED,
                run.before() == RunStatus.PENDING && run.row().nextSeq() == 1);
    }

    private RunExecution(Engine engine, RunCode code, RunRow row, boolean takenOver, boolean first) {
        this.engine = engine;
        this.code = code;
        this.row = row;
        this.takenOver = takenOver;
        this.first = first;
        this.heldSince = engine.threads().nanoTime();
    }

    UUID runId() {
        return row.runId();
    }

    int shard() {
        return row.shard();
    }

    /** The lease under which it executes now; {@link RunRow#NO_LEASE} while it is parked. */
    long renewableLease() {
        RunSession live = session;
        return live == null ? row.lease() : live.log().renewable();
    }

    boolean isHeldFor(long nanos) {
        return engine.threads().nanoTime() - heldSince >= nanos;
    }

    void lost(long lease) {
        RunSession live = session;
        if (live != null) {
            live.lost(lease);
        } else if (row.lease() == lease) {
            stopped = true;
        }
    }

    void mailArrived(long counter) {
        RunSession live = session;
        if (live != null) {
            live.mailArrived(counter);
        }
    }

    void look() {
        RunSession live = session;
        if (live != null) {
            live.look();
        }
    }

    /** Throws it out of memory without a word to the store. */
    void stop() {
        stopped = true;
        RunSession live = session;
        if (live != null) {
            live.stop();
        }
    }

    /** Asks it to leave at its next pause. */
    void close() {
        closing = true;
        RunSession live = session;
        if (live != null) {
            live.close();
        }
    }

    /** The commit that gives its lease up from outside, while its thread is held up in a step. */
    Commit release() {
        NextState given = NextState.pending(Alarm.NOW, WakeReason.HANDOVER);
        RunSession live = session;
        return live == null ? unchanged(given) : live.log().commitNothing(given);
    }

    /** Begins once the copy of the run that was here before has ended. */
    void startAfter(@Nullable RunExecution old) {
        if (old == null || !old.precede(this)) {
            engine.threads().startCode("run " + row.workflowId(), this);
        }
    }

    private synchronized boolean precede(RunExecution next) {
        if (ended) {
            return false;
        }
        successor = next;
        stop();
        return true;
    }

    @Override
    public void run() {
        try {
            if (!heldBack()) {
                execute();
            }
        } catch (CodeMismatch mismatch) {
            refuse(mismatch);
        } catch (DormouseException damaged) {
            park(damaged.getMessage());
        } catch (Evicted gone) {
            // what it came to is in the store
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError problem) {
            LOG.warn("Run {} of workflow id '{}' cannot go on here", row.runId(), row.workflowId(), problem);
            park(problem.toString());
        } finally {
            end();
        }
    }

    private void end() {
        engine.table().remove(this);
        engine.table().release(1);
        RunExecution next;
        synchronized (this) {
            ended = true;
            next = successor;
        }
        if (next != null) {
            next.startAfter(null);
        }
    }

    /** From the second takeover on a run is held back for a while, and for good after too many. */
    private boolean heldBack() {
        if (!takenOver || row.takeovers() < 2) {
            return false;
        }
        if (row.takeovers() > engine.settings().maxTakeovers()) {
            DormouseException reason = new DormouseException(
                    ErrorCode.TOO_MANY_TAKEOVERS,
                    "Expected run " + row.runId() + " (workflow id '" + row.workflowId()
                            + "') to come to a commit, but its node died " + row.takeovers()
                            + " times while it executed. It is parked; see what its next step does to the process.");
            LOG.error(reason.getMessage());
            engine.commit(shard(), unchanged(NextState.stuck(Alarm.NONE, reason.getMessage())));
        } else {
            Alarm later = new Alarm.In(engine.settings().leasePeriod().multipliedBy(row.takeovers() - 1L));
            engine.commit(shard(), unchanged(NextState.pending(later, WakeReason.BACKOFF)));
        }
        return true;
    }

    private void execute() {
        boolean again;
        do {
            RunSession stay = begin();
            try {
                code.execute(stay);
            } catch (Evicted gone) {
                checkAccepted(stay);
            }
            again = stay.mustRestart() && reload();
        } while (again);
    }

    private static void checkAccepted(RunSession stay) {
        DormouseException trouble = stay.trouble();
        if (trouble != null) {
            throw trouble;
        }
    }

    private RunSession begin() {
        List<Event> events = history;
        if (events == null) {
            events = History.read(row, engine.readHistory(shard(), runId()));
        }
        history = null;
        RunSession stay = new RunSession(engine, row, events);
        session = stay;
        if (closing) {
            stay.close();
        }
        if (stopped) {
            throw new Evicted();
        }
        if (first && events.size() == 1) {
            stay.begin();
        }
        return stay;
    }

    /** Reads the row again, to begin anew from what is committed; false when the run is not ours any more. */
    private boolean reload() {
        RunSession stay = session;
        long lease = stay == null ? row.lease() : stay.log().lease();
        RunRow fresh =
                engine.persist(() -> engine.store().run(shard(), runId())).orElse(null);
        if (fresh == null || fresh.lease() != lease) {
            return false;
        }
        row = fresh;
        return true;
    }

    private Commit unchanged(NextState next) {
        return new Commit(
                runId(),
                Fence.of(row.lease(), row.nextSeq()),
                Append.nothing(row.checksum()),
                row.consumed(),
                next,
                List.of());
    }

    /** Hands the run to nodes with another build; where every live build has refused it is stuck until one fits. */
    private void refuse(CodeMismatch mismatch) {
        String refused = Builds.add(row.refused(), engine.build());
        boolean last = engine.liveBuilds(shard(), row.type()).stream().allMatch(build -> Builds.has(refused, build));
        NextState next = last
                ? NextState.stuck(new Alarm.In(engine.stuckDelay(lastProgress())), mismatch.getMessage())
                : NextState.pending(Alarm.NOW, WakeReason.HANDOVER);
        LOG.warn("{}{}", mismatch.getMessage(), last ? "" : " It is handed to nodes with another build.");
        giveUp(next.inLane(Lanes.refused(row.type()), refused));
        if (!last) {
            engine.ring(shard(), Lanes.refused(row.type()), Instant.EPOCH);
        }
    }

    private void park(String trouble) {
        LOG.error("Run {} of workflow id '{}' is parked: {}", runId(), row.workflowId(), trouble);
        giveUp(NextState.stuck(new Alarm.In(engine.stuckDelay(lastProgress())), trouble));
    }

    private void giveUp(NextState next) {
        RunSession live = session;
        engine.commit(shard(), live == null ? unchanged(next) : live.log().commitNothing(next));
    }

    private Instant lastProgress() {
        RunSession live = session;
        return live == null
                ? row.createdAt()
                : live.recorded().get(live.recorded().size() - 1).at();
    }
}
