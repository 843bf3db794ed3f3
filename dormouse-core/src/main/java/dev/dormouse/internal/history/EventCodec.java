package dev.dormouse.internal.history;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.history.Event.ChildRequested;
import dev.dormouse.internal.history.Event.MailReceived;
import dev.dormouse.internal.history.Event.MailSent;
import dev.dormouse.internal.history.Event.Marked;
import dev.dormouse.internal.history.Event.RunBegan;
import dev.dormouse.internal.history.Event.RunCanceled;
import dev.dormouse.internal.history.Event.RunCompleted;
import dev.dormouse.internal.history.Event.RunContinued;
import dev.dormouse.internal.history.Event.RunFailed;
import dev.dormouse.internal.history.Event.RunStarted;
import dev.dormouse.internal.history.Event.RunTerminated;
import dev.dormouse.internal.history.Event.RunTimedOut;
import dev.dormouse.internal.history.Event.StepCompleted;
import dev.dormouse.internal.history.Event.StepFailed;
import dev.dormouse.internal.history.Event.StepHandedOut;
import dev.dormouse.internal.history.Event.StepPostponed;
import dev.dormouse.internal.history.Event.TakenOver;
import dev.dormouse.internal.history.Event.TimerFired;
import dev.dormouse.internal.history.Event.TimerScheduled;
import dev.dormouse.internal.history.Event.UpdateAnswered;
import dev.dormouse.internal.history.Event.VersionMarked;
import dev.dormouse.internal.history.Event.WaitTimedOut;
import java.nio.BufferUnderflowException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The binary format of events: a format version, then for each event its tag, its instant and its fields. A released
 * tag keeps its meaning and its fields; an extension gets a new tag.
 */
public final class EventCodec {
    private static final int FORMAT = 1;

    private EventCodec() {}

    public static byte[] encode(List<Event> events) {
        EventWriter out = new EventWriter();
        out.number(FORMAT);
        for (Event event : events) {
            write(event, out);
        }
        return out.toBytes();
    }

    /**
     * Decodes events.
     *
     * @throws DormouseException HISTORY_DAMAGED or HISTORY_TOO_NEW if the bytes are not events
     */
    public static List<Event> decode(byte[] bytes) {
        try {
            EventReader in = new EventReader(bytes);
            requireKnown("format", in.number(), FORMAT);
            List<Event> events = new ArrayList<>();
            while (!in.atEnd()) {
                events.add(read(in));
            }
            return events;
        } catch (BufferUnderflowException | ArithmeticException | IndexOutOfBoundsException cut) {
            throw new DormouseException(
                    ErrorCode.HISTORY_DAMAGED,
                    "Expected whole events in a history row, but its " + bytes.length + " bytes end within one. "
                            + "Restore the row from a backup.",
                    cut);
        }
    }

    private static void write(Event event, EventWriter out) {
        if (event instanceof RunStarted e) {
            head(out, tag(e.origin()), e);
            start(out, e);
        } else if (event instanceof RunBegan e) {
            head(out, 2, e);
        } else if (event instanceof TakenOver e) {
            head(out, 27, e);
            out.text(e.from());
            out.text(e.by());
            out.signed(e.lease());
            out.instant(e.lostAt());
            out.instant(e.takenAt());
        } else if (event instanceof StepCompleted e) {
            head(out, 3, e);
            step(out, e.call(), e.name(), e.startedAt());
            out.payload(e.result());
        } else if (event instanceof StepFailed e) {
            head(out, e.attempts() == 1 ? 4 : 22, e);
            step(out, e.call(), e.name(), e.startedAt());
            out.failure(e.failure());
            if (e.attempts() != 1) {
                out.number(e.attempts());
            }
        } else if (event instanceof TimerScheduled e) {
            head(out, 5, e);
            out.number(e.call());
            out.instant(e.deadline());
        } else if (event instanceof TimerFired e) {
            head(out, 6, e);
            out.number(e.call());
        } else if (event instanceof WaitTimedOut e) {
            head(out, 7, e);
            out.number(e.call());
        } else if (event instanceof MailReceived e) {
            head(out, 8, e);
            out.mail(e.items());
        } else if (event instanceof VersionMarked e) {
            head(out, 9, e);
            out.text(e.change());
            out.signed(e.version());
        } else if (event instanceof Marked e) {
            head(out, 26, e);
            out.text(e.name());
            out.text(e.text());
        } else if (event instanceof RunCompleted e) {
            head(out, 10, e);
            out.payload(e.result());
        } else if (event instanceof RunFailed e) {
            head(out, e.attempts() == 0 ? 11 : 25, e);
            out.failure(e.failure());
            if (e.attempts() != 0) {
                out.number(e.attempts());
            }
        } else if (event instanceof RunTerminated e) {
            head(out, 12, e);
            out.text(e.reason());
        } else if (event instanceof RunTimedOut e) {
            head(out, 13, e);
        } else if (event instanceof RunCanceled e) {
            head(out, 14, e);
            out.text(e.reason());
        } else if (event instanceof RunContinued e) {
            head(out, 15, e);
            out.uuid(e.nextRunId());
        } else if (event instanceof UpdateAnswered e) {
            head(out, 16, e);
            answer(out, e);
        } else if (event instanceof ChildRequested e) {
            head(out, e.queued() == null ? 17 : 24, e);
            child(out, e);
        } else if (event instanceof MailSent e) {
            head(out, 18, e);
            out.uuid(e.id());
            out.text(e.workflowId());
            out.number(e.message().kind());
            out.bytes(MessageCodec.encode(e.message()));
        } else if (event instanceof StepPostponed e) {
            head(out, 19, e);
            out.number(e.call());
            out.text(e.name());
            out.tried(e.tried());
            out.instant(e.nextAt());
            out.optional(e.failure());
            out.text(e.pause());
        } else if (event instanceof StepHandedOut e) {
            head(out, 20, e);
            out.number(e.call());
            out.text(e.name());
            out.tried(e.tried());
            out.uuid(e.token());
        }
    }

    private static void head(EventWriter out, int tag, Event event) {
        out.number(tag);
        out.instant(event.at());
    }

    private static void start(EventWriter out, RunStarted event) {
        out.text(event.type());
        out.payloads(event.input());
        out.optional(event.startAt());
        out.optional(event.deadline());
        out.memo(event.memo());
        Origin origin = event.origin();
        if (origin.queued() != null) {
            out.originInQueue(origin, origin.queued());
            return;
        }
        out.origin(origin);
        if (origin.reset() != null) {
            out.reset(origin.reset());
        }
    }

    private static int tag(Origin origin) {
        return origin.queued() != null ? 23 : origin.reset() == null ? 1 : 21;
    }

    private static void step(EventWriter out, int call, String name, Instant startedAt) {
        out.number(call);
        out.text(name);
        out.instant(startedAt);
    }

    private static void answer(EventWriter out, UpdateAnswered event) {
        Failure failure = event.failure();
        out.number(event.position());
        out.number(event.rejected() ? 1 : 0);
        out.payload(event.result());
        out.optional(failure);
    }

    private static void child(EventWriter out, ChildRequested event) {
        out.number(event.call());
        out.text(event.workflowId());
        out.uuid(event.runId());
        out.text(event.type());
        out.payloads(event.input());
        out.number(event.parentClose().ordinal());
        if (event.queued() != null) {
            out.queued(event.queued());
        }
    }

    private static Event read(EventReader in) {
        int tag = in.count();
        Instant at = in.instant();
        return switch (tag) {
            case 1 ->
                new RunStarted(at, in.text(), in.payloads(), in.optional(), in.optional(), in.memo(), in.origin());
            case 2 -> new RunBegan(at);
            case 3 -> new StepCompleted(at, in.count(), in.text(), in.instant(), in.payload());
            case 4 -> new StepFailed(at, in.count(), in.text(), in.instant(), in.failure(), 1);
            case 5 -> new TimerScheduled(at, in.count(), in.instant());
            case 6 -> new TimerFired(at, in.count());
            case 7 -> new WaitTimedOut(at, in.count());
            case 8 -> new MailReceived(at, in.mail());
            case 9 -> new VersionMarked(at, in.text(), (int) in.signed());
            case 10 -> new RunCompleted(at, in.payload());
            case 11 -> new RunFailed(at, in.failure());
            case 12 -> new RunTerminated(at, in.text());
            case 13 -> new RunTimedOut(at);
            case 14 -> new RunCanceled(at, in.text());
            case 15 -> new RunContinued(at, in.uuid());
            case 16 -> new UpdateAnswered(at, in.number(), in.number() == 1, in.payload(), in.optionalFailure());
            case 17 -> child(in, at, false);
            case 18 -> new MailSent(at, in.uuid(), in.text(), MessageCodec.decode(in.count(), in.bytes()));
            case 19 ->
                new StepPostponed(at, in.count(), in.text(), in.tried(), in.instant(), in.optionalFailure(), in.text());
            case 20 -> new StepHandedOut(at, in.count(), in.text(), in.tried(), in.uuid());
            case 22 -> new StepFailed(at, in.count(), in.text(), in.instant(), in.failure(), in.count());
            case 21 ->
                new RunStarted(
                        at, in.text(), in.payloads(), in.optional(), in.optional(), in.memo(), in.originOfReset());
            case 23 ->
                new RunStarted(
                        at, in.text(), in.payloads(), in.optional(), in.optional(), in.memo(), in.originInQueue());
            case 24 -> child(in, at, true);
            case 25 -> new RunFailed(at, in.failure(), in.count());
            case 26 -> new Marked(at, in.text(), in.text());
            case 27 -> new TakenOver(at, in.text(), in.text(), in.signed(), in.instant(), in.instant());
            default -> throw unknown("event tag", tag);
        };
    }

    private static Event child(EventReader in, Instant at, boolean queued) {
        return new ChildRequested(
                at,
                in.count(),
                in.text(),
                in.uuid(),
                in.text(),
                in.payloads(),
                ParentClose.of(in.count()),
                queued ? in.queued() : null);
    }

    private static void requireKnown(String what, long found, long known) {
        if (found != known) {
            throw unknown(what, found);
        }
    }

    private static DormouseException unknown(String what, long found) {
        return new DormouseException(
                ErrorCode.HISTORY_TOO_NEW,
                "Expected a history that this version of Dormouse can read, but found " + what + " " + found
                        + ". Use the version that wrote it, or a later one.");
    }
}
