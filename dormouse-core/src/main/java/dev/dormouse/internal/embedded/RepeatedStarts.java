package dev.dormouse.internal.embedded;

import dev.dormouse.codec.JacksonCodec;
import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.internal.engine.Node;
import dev.dormouse.internal.engine.observe.LineLimit;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.run.NewRun;
import dev.dormouse.internal.run.StartedRun;
import dev.dormouse.internal.thread.Threads;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A check that warns about a start whose workflow id has a run with a different input, because the caller receives that
 * run's result.
 *
 * <p>Thread-safe. The check is best effort: it reads one row, so a node makes at most one check per second, and a
 * compare-and-set on the time of the next check lets one thread through. Starts in between are not checked. Only JSON
 * is compared, because an encrypted input differs each time.
 */
final class RepeatedStarts {
    private static final Logger LOG = LoggerFactory.getLogger(RepeatedStarts.class);
    private static final long BETWEEN_CHECKS = Duration.ofSeconds(1).toNanos();
    private static final int MOST_LINES = 4;
    private static final String JSON = "json";

    private final Node node;
    private final Threads threads;
    private final LineLimit limit;
    private final JacksonCodec json = new JacksonCodec();
    private final AtomicLong nextCheck;

    RepeatedStarts(Node node, Threads threads) {
        this.node = node;
        this.threads = threads;
        this.limit = new LineLimit(threads, MOST_LINES);
        this.nextCheck = new AtomicLong(threads.nanoTime());
    }

    /** Logs a warning if {@code wanted} has a different input than the existing run. Never throws DormouseException. */
    void check(NewRun wanted, StartedRun existing) {
        long now = threads.nanoTime();
        long next = nextCheck.get();
        if (now - next < 0 || !nextCheck.compareAndSet(next, now + BETWEEN_CHECKS)) {
            return;
        }
        try {
            node.started(wanted.workflowId(), existing.runId())
                    .filter(first -> isAnother(wanted, first))
                    .ifPresent(first -> warn(wanted, existing));
        } catch (DormouseException unknown) {
            LOG.debug(
                    "Could not compare the input of workflow id '{}' with the input of its run.",
                    wanted.workflowId(),
                    unknown);
        }
    }

    /**
     * Returns true if the inputs differ. A run that continues another one, or was reset, is not compared, because its
     * input does not come from a caller.
     */
    private boolean isAnother(NewRun wanted, Event.RunStarted first) {
        boolean isComparable = first.origin().continues() == null
                && first.origin().reset() == null
                && first.type().equals(wanted.type())
                && areJson(first.input())
                && areJson(wanted.input());
        return isComparable && !isSame(first.input(), wanted.input());
    }

    private static boolean areJson(List<Payload> input) {
        return input.stream().allMatch(part -> part.encoding().equals(JSON));
    }

    private boolean isSame(List<Payload> one, List<Payload> other) {
        if (one.equals(other)) {
            return true;
        }
        if (one.size() != other.size()) {
            return false;
        }
        try {
            for (int i = 0; i < one.size(); i++) {
                // compared as maps and lists, so that the order of keys does not matter
                if (!Objects.equals(json.decode(one.get(i), Object.class), json.decode(other.get(i), Object.class))) {
                    return false;
                }
            }
            return true;
        } catch (DormouseException unreadable) {
            return true;
        }
    }

    private void warn(NewRun wanted, StartedRun existing) {
        String note = limit.permit(wanted.type());
        if (note != null) {
            LOG.warn(
                    "Workflow id '{}' (type '{}') was started again with a different input, which has no effect: the caller gets "
                            + "run {}, which has the input of its first start. Use a separate id for each input, or use "
                            + "IdReuse.REJECT or IdReuse.START_NEW.{}",
                    wanted.workflowId(),
                    wanted.type(),
                    existing.runId(),
                    note);
        }
    }
}
