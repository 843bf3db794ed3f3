package dev.dormouse.remote.wire;

import static dev.dormouse.remote.wire.ValueWire.bytes;
import static dev.dormouse.remote.wire.ValueWire.readId;
import static dev.dormouse.remote.wire.ValueWire.readInstant;
import static dev.dormouse.remote.wire.ValueWire.text;

import dev.dormouse.remote.v1.EventProto;
import dev.dormouse.store.base.Definition;
import dev.dormouse.store.base.Notice;
import dev.dormouse.store.event.Note;
import dev.dormouse.store.event.PastEvent;
import dev.dormouse.store.event.Question;
import dev.dormouse.store.event.Subscription;
import java.util.Optional;
import java.util.UUID;

/** Conversion of events, questions, progress notes, definitions and notices. */
public final class EventWire {
    private EventWire() {}

    public static EventProto.Note write(Note note) {
        return EventProto.Note.newBuilder()
                .setRunId(ValueWire.write(note.runId()))
                .setLease(note.lease())
                .setCall(note.call())
                .setAttempt(note.attempt())
                .setPayload(bytes(note.payload()))
                .build();
    }

    public static Note read(EventProto.Note note) {
        return new Note(
                readId(note.getRunId()),
                note.getLease(),
                note.getCall(),
                note.getAttempt(),
                note.getPayload().toByteArray());
    }

    public static EventProto.Question write(Question question) {
        return EventProto.Question.newBuilder()
                .setId(ValueWire.write(question.id()))
                .setRunId(ValueWire.write(question.runId()))
                .setWorkflowId(text(question.workflowId()))
                .setLane(text(question.lane()))
                .setPayload(bytes(question.payload()))
                .build();
    }

    public static Question read(EventProto.Question question) {
        return new Question(
                readId(question.getId()),
                readId(question.getRunId()),
                question.getWorkflowId(),
                question.getLane(),
                question.getPayload().toByteArray());
    }

    public static EventProto.Subscription write(Subscription subscription) {
        EventProto.Subscription.Builder to = EventProto.Subscription.newBuilder()
                .setWorkflowId(text(subscription.workflowId()))
                .setId(text(subscription.id()))
                .setEvent(text(subscription.event()))
                .setKey(text(subscription.key()))
                .setMatch(bytes(subscription.match()));
        if (subscription.until() != null) {
            to.setUntil(ValueWire.write(subscription.until()));
        }
        return to.build();
    }

    public static Subscription read(EventProto.Subscription subscription) {
        return new Subscription(
                subscription.getWorkflowId(),
                subscription.getId(),
                subscription.getEvent(),
                subscription.getKey(),
                subscription.getMatch().toByteArray(),
                subscription.hasUntil() ? readInstant(subscription.getUntil()) : null);
    }

    public static EventProto.PastEvent write(PastEvent event) {
        return EventProto.PastEvent.newBuilder()
                .setEvent(text(event.event()))
                .setId(text(event.id()))
                .setPayload(bytes(event.payload()))
                .build();
    }

    public static PastEvent read(EventProto.PastEvent event) {
        return new PastEvent(event.getEvent(), event.getId(), event.getPayload().toByteArray());
    }

    public static EventProto.Definition write(Definition definition) {
        return EventProto.Definition.newBuilder()
                .setName(text(definition.name()))
                .setVersion(definition.version())
                .setBody(bytes(definition.body()))
                .setDefinedAt(ValueWire.write(definition.definedAt()))
                .build();
    }

    public static Definition read(EventProto.Definition definition) {
        return new Definition(
                definition.getName(),
                definition.getVersion(),
                definition.getBody().toByteArray(),
                readInstant(definition.getDefinedAt()));
    }

    public static EventProto.Notice write(Notice notice) {
        EventProto.Notice.Builder to = EventProto.Notice.newBuilder();
        if (notice instanceof Notice.AlarmSet alarm) {
            to.setAlarmSet(EventProto.AlarmSet.newBuilder()
                    .setShard(alarm.shard())
                    .setLane(text(alarm.lane()))
                    .setAt(ValueWire.write(alarm.at())));
        } else if (notice instanceof Notice.MailArrived mail) {
            to.setMailArrived(owned(mail.owner(), mail.runId()));
        } else if (notice instanceof Notice.LeaseLost lost) {
            to.setLeaseLost(owned(lost.owner(), lost.runId()));
        } else if (notice instanceof Notice.Watched watched) {
            to.setWatched(ValueWire.write(watched.runId()));
        } else if (notice instanceof Notice.Closed closed) {
            to.setClosed(ValueWire.write(closed.runId()));
        } else if (notice instanceof Notice.Asked asked) {
            to.setAsked(EventProto.Asked.newBuilder().setShard(asked.shard()).setLane(text(asked.lane())));
        } else if (notice instanceof Notice.OutboxFilled) {
            to.setOutboxFilled(true);
        } else {
            to.setReplied(ValueWire.write(((Notice.Replied) notice).question()));
        }
        return to.build();
    }

    private static EventProto.OwnedRun owned(String owner, UUID runId) {
        return EventProto.OwnedRun.newBuilder()
                .setOwner(text(owner))
                .setRunId(ValueWire.write(runId))
                .build();
    }

    /** Returns a notice; empty for a notice of a newer version, which is skipped. */
    public static Optional<Notice> read(EventProto.Notice notice) {
        return switch (notice.getNoticeCase()) {
            case ALARM_SET ->
                Optional.of(new Notice.AlarmSet(
                        notice.getAlarmSet().getShard(),
                        notice.getAlarmSet().getLane(),
                        readInstant(notice.getAlarmSet().getAt())));
            case MAIL_ARRIVED ->
                Optional.of(new Notice.MailArrived(
                        notice.getMailArrived().getOwner(),
                        readId(notice.getMailArrived().getRunId())));
            case LEASE_LOST ->
                Optional.of(new Notice.LeaseLost(
                        notice.getLeaseLost().getOwner(),
                        readId(notice.getLeaseLost().getRunId())));
            case WATCHED -> Optional.of(new Notice.Watched(readId(notice.getWatched())));
            case CLOSED -> Optional.of(new Notice.Closed(readId(notice.getClosed())));
            case ASKED ->
                Optional.of(new Notice.Asked(
                        notice.getAsked().getShard(), notice.getAsked().getLane()));
            case OUTBOX_FILLED -> Optional.of(new Notice.OutboxFilled());
            case REPLIED -> Optional.of(new Notice.Replied(readId(notice.getReplied())));
            case NOTICE_NOT_SET -> Optional.empty();
        };
    }
}
