package dev.dormouse.internal.run;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.thread.Nanos;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The input of a stand-alone activity besides its arguments.
 *
 * @param key the idempotency key, the same in all attempts
 * @param workflowId the workflow id of the caller
 * @param runId the run of the caller
 * @param type the workflow type of the caller
 * @param owner the full name of the interface that the caller means; empty if the activity was called by its name
 *     alone
 * @param waitsForCancellation true if the caller waits for the end of the activity after a cancel
 */
public record RemoteStep(
        String key,
        String workflowId,
        UUID runId,
        String type,
        StepPolicy policy,
        String owner,
        boolean waitsForCancellation) {
    private static final String ENCODING = "dormouse/activity";
    private static final int WITHOUT_OWNER = 1;
    private static final int WITH_OWNER = 2;
    private static final int WAITS_FOR_CANCELLATION = 3;
    private static final long NONE = -1;

    public Payload encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(format());
            out.writeUTF(key);
            out.writeUTF(workflowId);
            out.writeLong(runId.getMostSignificantBits());
            out.writeLong(runId.getLeastSignificantBits());
            out.writeUTF(type);
            write(policy, out);
            if (format() != WITHOUT_OWNER) {
                out.writeUTF(owner);
            }
        } catch (IOException never) {
            throw new IllegalStateException(never);
        }
        return new Payload(ENCODING, bytes.toByteArray());
    }

    private int format() {
        return waitsForCancellation ? WAITS_FOR_CANCELLATION : owner.isEmpty() ? WITHOUT_OWNER : WITH_OWNER;
    }

    private static void write(StepPolicy policy, DataOutputStream out) throws IOException {
        write(policy.first(), out);
        out.writeDouble(policy.factor());
        write(policy.longest(), out);
        out.writeDouble(policy.jitter());
        out.writeInt(policy.attempts());
        write(policy.retryFor(), out);
        out.writeInt(policy.finalTypes().size());
        for (String name : policy.finalTypes()) {
            out.writeUTF(name);
        }
        write(policy.total(), out);
        write(policy.attempt(), out);
        write(policy.heartbeat(), out);
    }

    private static void write(@Nullable Duration duration, DataOutputStream out) throws IOException {
        out.writeLong(duration == null ? NONE : Nanos.of(duration));
    }

    public static RemoteStep decode(Payload payload) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(payload.bytes()))) {
            int format = in.readByte();
            if (!payload.encoding().equals(ENCODING) || format < WITHOUT_OWNER || format > WAITS_FOR_CANCELLATION) {
                throw new DormouseException(
                        ErrorCode.HISTORY_TOO_NEW,
                        "Expected an activity that this version of Dormouse can execute, but found "
                                + payload.encoding() + " " + format
                                + ". Use the version that wrote it, or a later one.");
            }
            return new RemoteStep(
                    in.readUTF(),
                    in.readUTF(),
                    new UUID(in.readLong(), in.readLong()),
                    in.readUTF(),
                    policy(in),
                    format == WITHOUT_OWNER ? "" : in.readUTF(),
                    format == WAITS_FOR_CANCELLATION);
        } catch (IOException cut) {
            throw new DormouseException(
                    ErrorCode.HISTORY_DAMAGED,
                    "Expected a whole description of an activity, but it ends too early. Restore it from a backup.",
                    cut);
        }
    }

    private static StepPolicy policy(DataInputStream in) throws IOException {
        Duration first = Duration.ofNanos(in.readLong());
        double factor = in.readDouble();
        Duration longest = Duration.ofNanos(in.readLong());
        double jitter = in.readDouble();
        int attempts = in.readInt();
        Duration retryFor = duration(in);
        Set<String> finalTypes = new HashSet<>();
        for (int i = in.readInt(); i > 0; i--) {
            finalTypes.add(in.readUTF());
        }
        return new StepPolicy(
                first,
                factor,
                longest,
                jitter,
                attempts,
                retryFor,
                finalTypes,
                duration(in),
                duration(in),
                duration(in));
    }

    private static @Nullable Duration duration(DataInputStream in) throws IOException {
        long nanos = in.readLong();
        return nanos == NONE ? null : Duration.ofNanos(nanos);
    }
}
