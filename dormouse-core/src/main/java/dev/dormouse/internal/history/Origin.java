package dev.dormouse.internal.history;

import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.Queued;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a run: how it was created, if it was not simply started from outside.
 *
 * @param parent the parent, if the run is a child; otherwise null
 * @param continues the run that continued as this one; null if there is none
 * @param chain the first run of the continue-as-new chain; null if this is the first
 * @param debounce how long the run waits for further starts before it begins; null if it does not
 * @param mail items that are applied before the first line of the code, because the run was started with them
 * @param reset the run whose history this run begins with; null if it began with its own history
 * @param queued its place in a queue; null if it is not in a queue
 */
public record Origin(
        @Nullable Parent parent,
        @Nullable UUID continues,
        @Nullable UUID chain,
        @Nullable Debounce debounce,
        List<InboxMessage> mail,
        @Nullable Reset reset,
        @Nullable Queued queued) {

    /** Creates an origin of a run with its own history that is not in a queue. */
    public Origin(
            @Nullable Parent parent,
            @Nullable UUID continues,
            @Nullable UUID chain,
            @Nullable Debounce debounce,
            List<InboxMessage> mail) {
        this(parent, continues, chain, debounce, mail, null, null);
    }

    /** The origin of a run that was started from outside. */
    public static final Origin NONE = new Origin(null, null, null, null, List.of());

    /** Returns the origin of a child. */
    public static Origin childOf(Parent parent) {
        return new Origin(parent, null, null, null, List.of());
    }

    /** Returns this origin with items that are applied before the first line of the code. */
    public Origin with(List<InboxMessage> items) {
        return new Origin(parent, continues, chain, debounce, items, reset, queued);
    }

    /** Returns this origin with debounced starts; null for none. */
    public Origin with(@Nullable Debounce periods) {
        return new Origin(parent, continues, chain, periods, mail, reset, queued);
    }

    /** Returns this origin with a place in a queue; null for none. */
    public Origin with(@Nullable Queued place) {
        return new Origin(parent, continues, chain, debounce, mail, reset, place);
    }

    /**
     * Returns this origin for a run that begins with a part of this run's history. The new run has no chain, so that
     * cancel requests for this run do not apply to it.
     */
    Origin with(Reset point) {
        return new Origin(parent, continues, null, debounce, mail, point, queued);
    }

    /** Writes everything except the reset and the place in a queue. */
    void write(EventWriter out) {
        out.optional(parent);
        out.optional(continues);
        out.optional(chain);
        out.optional(debounce);
        out.mail(mail);
    }

    static Origin read(EventReader in) {
        return new Origin(
                in.optional(Parent::read),
                in.optional(EventReader::uuid),
                in.optional(EventReader::uuid),
                in.optional(Debounce::read),
                in.mail());
    }

    /** Reads the origin of a run that begins with the history of another run. */
    static Origin readOfReset(EventReader in) {
        Origin origin = read(in);
        return new Origin(
                origin.parent, origin.continues, origin.chain, origin.debounce, origin.mail, Reset.read(in), null);
    }

    /** Writes the origin of a run in a queue. */
    void writeInQueue(EventWriter out, Queued place) {
        out.number(reset == null ? 0 : 1);
        write(out);
        if (reset != null) {
            reset.write(out);
        }
        out.queued(place);
    }

    /** Reads the origin of a run in a queue. */
    static Origin readInQueue(EventReader in) {
        Origin origin = in.number() == 0 ? read(in) : readOfReset(in);
        return origin.with(in.queued());
    }

    /** Returns true if the run was started with an update, which earlier releases of Dormouse would ignore. */
    boolean hasUpdate() {
        return mail.stream().anyMatch(item -> item.kind() == Message.UPDATE);
    }

    /** Writes the origin of a run that was started with an update. */
    void writeWithUpdate(EventWriter out) {
        write(out);
        out.optional(reset);
        out.optional(queued);
    }

    /** Reads the origin of a run that was started with an update. */
    static Origin readWithUpdate(EventReader in) {
        Origin origin = read(in);
        Reset reset = in.optional(Reset::read);
        return new Origin(
                origin.parent,
                origin.continues,
                origin.chain,
                origin.debounce,
                origin.mail,
                reset,
                in.optional(EventReader::queued));
    }

    /**
     * The debounce periods: the run begins when it was not started again for {@code quiet}, or at the latest
     * {@code limit} after the first start.
     */
    public record Debounce(Duration quiet, Duration limit) implements Writable {

        static Debounce read(EventReader in) {
            return new Debounce(in.duration(), in.duration());
        }

        @Override
        public void write(EventWriter out) {
            out.duration(quiet);
            out.duration(limit);
        }
    }

    /** The run that is notified of the end, and the number of its call that waits for it. */
    public record Parent(String workflowId, UUID runId, int call) implements Writable {

        static Parent read(EventReader in) {
            return new Parent(in.text(), in.uuid(), in.count());
        }

        @Override
        public void write(EventWriter out) {
            out.text(workflowId);
            out.uuid(runId);
            out.number(call);
        }
    }

    /**
     * The part of another run's history that a run begins with.
     *
     * @param from the run that has this history too
     * @param identity the first of the runs that were created by resets: ids that the code derives from its run id stay
     *     the same by it
     * @param events the number of shared events
     * @param at when the run was reset
     * @param mail the position of the last inbox item that counts as read; later items are read again
     * @param children the children that were requested in the shared part
     */
    public record Reset(UUID from, UUID identity, int events, Instant at, long mail, List<Child> children)
            implements Writable {

        static Reset read(EventReader in) {
            return new Reset(in.uuid(), in.uuid(), in.count(), in.instant(), in.number(), in.list(Child::read));
        }

        @Override
        public void write(EventWriter out) {
            out.uuid(from);
            out.uuid(identity);
            out.number(events);
            out.instant(at);
            out.number(mail);
            out.list(children);
        }
    }

    /** A child, by the number of the call that requested it and the run that is notified of its end. */
    public record Child(int call, UUID askedBy) implements Writable {

        static Child read(EventReader in) {
            return new Child(in.count(), in.uuid());
        }

        @Override
        public void write(EventWriter out) {
            out.number(call);
            out.uuid(askedBy);
        }
    }
}
