package dev.dormouse.internal.history;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.history.Message.Cancel;
import dev.dormouse.internal.history.Message.ChildEnded;
import dev.dormouse.internal.history.Message.ChildStarted;
import dev.dormouse.internal.history.Message.Signal;
import dev.dormouse.internal.history.Message.StartRun;
import dev.dormouse.internal.history.Message.StartedAgain;
import dev.dormouse.internal.history.Message.StepEnded;
import dev.dormouse.internal.history.Message.TerminateRun;
import dev.dormouse.internal.history.Message.Update;
import java.nio.BufferUnderflowException;

/** The binary format of messages: a format version and the fields. The kind is stored next to them. */
public final class MessageCodec {
    private static final int FORMAT = 1;

    private MessageCodec() {}

    public static byte[] encode(Message message) {
        EventWriter out = new EventWriter();
        out.number(FORMAT);
        message.write(out);
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
            case Message.SIGNAL -> Signal.read(in);
            case Message.UPDATE -> Update.read(in);
            case Message.CANCEL -> Cancel.read(in);
            case Message.CHILD_ENDED -> ChildEnded.read(in);
            case Message.START_RUN -> StartRun.read(in, Origin::read);
            case Message.START_QUEUED_RUN -> StartRun.read(in, Origin::readInQueue);
            case Message.START_CHILD -> StartRun.readOfChild(in);
            case Message.CHILD_STARTED -> ChildStarted.read(in);
            case Message.TERMINATE_RUN -> TerminateRun.read(in);
            case Message.STARTED_AGAIN -> StartedAgain.read(in);
            case Message.STEP_ENDED -> StepEnded.read(in);
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
