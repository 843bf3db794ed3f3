package dev.dormouse.internal.history;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.history.Message.Cancel;
import dev.dormouse.internal.history.Message.ChildEnded;
import dev.dormouse.internal.history.Message.Signal;
import dev.dormouse.internal.history.Message.StartRun;
import dev.dormouse.internal.history.Message.StartedAgain;
import dev.dormouse.internal.history.Message.StepEnded;
import dev.dormouse.internal.history.Message.TerminateRun;
import dev.dormouse.internal.history.Message.Update;
import java.nio.BufferUnderflowException;
import java.util.List;

/** The binary format of messages: a format version and the fields. The kind is stored next to them. */
public final class MessageCodec {
    private static final int FORMAT = 1;

    private MessageCodec() {}

    public static byte[] encode(Message message) {
        EventWriter out = new EventWriter();
        out.number(FORMAT);
        if (message instanceof Signal m) {
            out.text(m.name());
            out.payloads(m.arguments());
        } else if (message instanceof Update m) {
            out.text(m.name());
            out.payloads(m.arguments());
        } else if (message instanceof Cancel m) {
            out.optional(m.runId());
            out.text(m.reason());
        } else if (message instanceof ChildEnded m) {
            out.uuid(m.parentRunId());
            out.number(m.call());
            out.bytes(EventCodec.encode(List.of(m.end())));
        } else if (message instanceof StartRun m) {
            out.uuid(m.runId());
            out.text(m.type());
            out.payloads(m.input());
            out.optional(m.deadline());
            out.memo(m.memo());
            if (m.origin().queued() == null) {
                out.origin(m.origin());
            } else {
                out.originInQueue(m.origin(), m.origin().queued());
            }
        } else if (message instanceof TerminateRun m) {
            out.uuid(m.runId());
            out.text(m.reason());
        } else if (message instanceof StartedAgain m) {
            out.payloads(m.input());
        } else if (message instanceof StepEnded m) {
            out.uuid(m.runId());
            out.number(m.call());
            out.uuid(m.token());
            out.payload(m.result());
            out.optional(m.problem());
        }
        return out.toBytes();
    }

    /**
     * Decodes a message.
     *
     * @throws DormouseException HISTORY_DAMAGED or HISTORY_TOO_NEW if the bytes are not a message
     */
    public static Message decode(int kind, byte[] bytes) {
        try {
            EventReader in = new EventReader(bytes);
            long format = in.number();
            if (format != FORMAT) {
                throw unknown("format", format);
            }
            return read(kind, in);
        } catch (BufferUnderflowException | ArithmeticException | IndexOutOfBoundsException cut) {
            throw new DormouseException(
                    ErrorCode.HISTORY_DAMAGED,
                    "Expected a whole message in a row of an inbox or outbox, but its " + bytes.length
                            + " bytes end within one. Restore the row from a backup.",
                    cut);
        }
    }

    private static Message read(int kind, EventReader in) {
        return switch (kind) {
            case Message.SIGNAL -> new Signal(in.text(), in.payloads());
            case Message.UPDATE -> new Update(in.text(), in.payloads());
            case Message.CANCEL -> new Cancel(in.optionalUuid(), in.text());
            case Message.CHILD_ENDED ->
                new ChildEnded(
                        in.uuid(), in.count(), EventCodec.decode(in.bytes()).get(0));
            case Message.START_RUN ->
                new StartRun(in.uuid(), in.text(), in.payloads(), in.optional(), in.memo(), in.origin());
            case Message.START_QUEUED_RUN ->
                new StartRun(in.uuid(), in.text(), in.payloads(), in.optional(), in.memo(), in.originInQueue());
            case Message.TERMINATE_RUN -> new TerminateRun(in.uuid(), in.text());
            case Message.STARTED_AGAIN -> new StartedAgain(in.payloads());
            case Message.STEP_ENDED ->
                new StepEnded(in.uuid(), in.count(), in.uuid(), in.payload(), in.optionalProblem());
            default -> throw unknown("message kind", kind);
        };
    }

    private static DormouseException unknown(String what, long found) {
        return new DormouseException(
                ErrorCode.HISTORY_TOO_NEW,
                "Expected a message that this version of Dormouse can read, but found " + what + " " + found
                        + ". Use the version that wrote it, or a later one.");
    }
}
