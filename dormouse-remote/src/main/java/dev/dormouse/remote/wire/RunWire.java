package dev.dormouse.remote.wire;

import static dev.dormouse.remote.wire.ValueWire.all;
import static dev.dormouse.remote.wire.ValueWire.bytes;
import static dev.dormouse.remote.wire.ValueWire.readDuration;
import static dev.dormouse.remote.wire.ValueWire.readId;
import static dev.dormouse.remote.wire.ValueWire.readInstant;
import static dev.dormouse.remote.wire.ValueWire.text;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.remote.v1.RunProto;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.HistoryAppend;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.OutboxFence;
import dev.dormouse.store.run.OutboxPage;
import dev.dormouse.store.run.Outgoing;
import dev.dormouse.store.run.Purged;
import dev.dormouse.store.run.Queued;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Conversion of runs, starts, commits, deliveries and their outcomes. */
public final class RunWire {
    private RunWire() {}

    public static RunProto.Run write(RunRow row) {
        RunProto.Run.Builder run = RunProto.Run.newBuilder()
                .setShard(row.shard())
                .setRunId(ValueWire.write(row.runId()))
                .setWorkflowId(text(row.workflowId()))
                .setType(text(row.type()))
                .setLane(text(row.lane()))
                .setStatusValue(row.status().code())
                .setLease(row.lease())
                .setOwner(text(row.owner()))
                .setWakeReasonValue(row.wakeReason().code())
                .setNextSeq(row.nextSeq())
                .setChecksum(row.checksum())
                .setMail(row.mail())
                .setConsumed(row.consumed())
                .setTakeovers(row.takeovers())
                .setStrikes(row.strikes())
                .setRefused(text(row.refused()))
                .setTrouble(text(row.trouble()))
                .setCreatedAt(ValueWire.write(row.createdAt()));
        if (row.wakeAt() != null) {
            run.setWakeAt(ValueWire.write(row.wakeAt()));
        }
        if (row.closedAt() != null) {
            run.setClosedAt(ValueWire.write(row.closedAt()));
        }
        return run.build();
    }

    public static RunRow read(RunProto.Run run) {
        return new RunRow(
                run.getShard(),
                readId(run.getRunId()),
                run.getWorkflowId(),
                run.getType(),
                run.getLane(),
                status(run.getStatusValue()),
                run.getLease(),
                run.getOwner(),
                run.hasWakeAt() ? readInstant(run.getWakeAt()) : null,
                reason(run.getWakeReasonValue()),
                run.getNextSeq(),
                run.getChecksum(),
                run.getMail(),
                run.getConsumed(),
                run.getTakeovers(),
                run.getStrikes(),
                run.getRefused(),
                run.getTrouble(),
                readInstant(run.getCreatedAt()),
                run.hasClosedAt() ? readInstant(run.getClosedAt()) : null);
    }

    static RunStatus status(int code) {
        try {
            return RunStatus.of(code);
        } catch (IllegalArgumentException unknown) {
            throw ValueWire.unknown("run status");
        }
    }

    static Set<RunStatus> statuses(Collection<Integer> codes) {
        return codes.stream().map(RunWire::status).collect(Collectors.toUnmodifiableSet());
    }

    static List<Integer> codes(Set<RunStatus> statuses) {
        return statuses.stream().map(RunStatus::code).sorted().toList();
    }

    static WakeReason reason(int code) {
        if (code < 0 || code >= WakeReason.values().length) {
            throw ValueWire.unknown("wake reason");
        }
        return WakeReason.of(code);
    }

    private static RunProto.Alarm write(Alarm alarm) {
        RunProto.Alarm.Builder change = RunProto.Alarm.newBuilder();
        if (alarm instanceof Alarm.At at) {
            change.setAt(ValueWire.write(at.instant()));
        } else if (alarm instanceof Alarm.In in) {
            change.setDelay(ValueWire.write(in.delay()));
        } else if (alarm instanceof Alarm.None) {
            change.setNone(true);
        } else {
            change.setKeep(true);
        }
        return change.build();
    }

    private static Alarm read(RunProto.Alarm alarm) {
        return switch (alarm.getChangeCase()) {
            case KEEP -> Alarm.KEEP;
            case NONE -> Alarm.NONE;
            case AT -> new Alarm.At(readInstant(alarm.getAt()));
            case DELAY -> new Alarm.In(readDuration(alarm.getDelay()));
            case CHANGE_NOT_SET -> throw ValueWire.unknown("change of an alarm");
        };
    }

    private static RunProto.NextState write(NextState next) {
        RunProto.NextState.Builder state = RunProto.NextState.newBuilder()
                .setStatusValue(next.status().code())
                .setLease(next.lease())
                .setAlarm(write(next.alarm()))
                .setReasonValue(next.reason().code())
                .setTrouble(text(next.trouble()));
        if (next.lane() != null) {
            state.setLane(text(next.lane()));
        }
        if (next.refused() != null) {
            state.setRefused(text(next.refused()));
        }
        return state.build();
    }

    private static NextState read(RunProto.NextState state) {
        return new NextState(
                status(state.getStatusValue()),
                state.getLease(),
                read(state.getAlarm()),
                reason(state.getReasonValue()),
                state.hasLane() ? state.getLane() : null,
                state.hasRefused() ? state.getRefused() : null,
                state.getTrouble());
    }

    private static RunProto.Append write(Append append) {
        return RunProto.Append.newBuilder()
                .setCount(append.count())
                .setPayload(bytes(append.payload()))
                .setChecksum(append.checksum())
                .build();
    }

    private static Append read(RunProto.Append append) {
        return new Append(append.getCount(), append.getPayload().toByteArray(), append.getChecksum());
    }

    private static RunProto.OutboxFence write(OutboxFence fence) {
        return RunProto.OutboxFence.newBuilder()
                .setEpoch(text(fence.epoch()))
                .setNotAfter(ValueWire.write(fence.notAfter()))
                .build();
    }

    private static OutboxFence read(RunProto.OutboxFence fence) {
        return new OutboxFence(fence.getEpoch(), readInstant(fence.getNotAfter()));
    }

    public static RunProto.Start write(Start start) {
        return RunProto.Start.newBuilder()
                .setWorkflowId(text(start.workflowId()))
                .setRunId(ValueWire.write(start.runId()))
                .setType(text(start.type()))
                .setLane(text(start.lane()))
                .setOwner(text(start.owner()))
                .setNext(write(start.next()))
                .setFirst(write(start.first()))
                .addAllReplacesValue(codes(start.replaces()))
                .setQueued(RunProto.Queued.newBuilder()
                        .setQueue(text(start.queued().queue()))
                        .setPriority(start.queued().priority())
                        .setKey(text(start.queued().key())))
                .setFence(write(start.fence()))
                .build();
    }

    public static Start read(RunProto.Start start) {
        return new Start(
                start.getWorkflowId(),
                readId(start.getRunId()),
                start.getType(),
                start.getLane(),
                start.getOwner(),
                read(start.getNext()),
                read(start.getFirst()),
                statuses(start.getReplacesValueList()),
                new Queued(
                        start.getQueued().getQueue(),
                        start.getQueued().getPriority(),
                        start.getQueued().getKey()),
                read(start.getFence()));
    }

    public static RunProto.StartOutcome write(StartOutcome outcome) {
        RunProto.StartOutcome.Builder to = RunProto.StartOutcome.newBuilder();
        if (outcome instanceof StartOutcome.Started started) {
            to.setStarted(ValueWire.write(started.at()));
        } else if (outcome instanceof StartOutcome.Exists exists) {
            to.setExists(write(exists.run()));
        } else if (outcome instanceof StartOutcome.Fenced) {
            to.setFenced(true);
        } else if (outcome instanceof StartOutcome.Locked) {
            to.setLocked(true);
        } else if (outcome instanceof StartOutcome.Rejected rejected) {
            to.setRejected(ErrorWire.write(rejected.reason()));
        } else {
            to.setUnknown(ErrorWire.write(((StartOutcome.Unknown) outcome).cause()));
        }
        return to.build();
    }

    public static StartOutcome read(RunProto.StartOutcome outcome) {
        return switch (outcome.getOutcomeCase()) {
            case STARTED -> new StartOutcome.Started(readInstant(outcome.getStarted()));
            case EXISTS -> new StartOutcome.Exists(read(outcome.getExists()));
            case FENCED -> new StartOutcome.Fenced();
            case LOCKED -> new StartOutcome.Locked();
            case REJECTED -> new StartOutcome.Rejected(ErrorWire.read(outcome.getRejected()));
            case UNKNOWN -> new StartOutcome.Unknown(ErrorWire.read(outcome.getUnknown()));
            case OUTCOME_NOT_SET -> throw ValueWire.unknown("outcome of a start");
        };
    }

    private static RunProto.Fence write(Fence fence) {
        return RunProto.Fence.newBuilder()
                .setLease(fence.lease())
                .setNextSeq(fence.nextSeq())
                .setMail(fence.mail())
                .setNotBefore(ValueWire.write(fence.notBefore()))
                .setEpoch(text(fence.epoch()))
                .setAlarm(fence.alarm())
                .build();
    }

    private static Fence read(RunProto.Fence fence) {
        return new Fence(
                fence.getLease(),
                fence.getNextSeq(),
                fence.getMail(),
                readInstant(fence.getNotBefore()),
                fence.getEpoch(),
                fence.getAlarm());
    }

    private static RunProto.Outgoing write(Outgoing item) {
        return RunProto.Outgoing.newBuilder()
                .setId(ValueWire.write(item.id()))
                .setWorkflowId(text(item.workflowId()))
                .setKind(item.kind())
                .setPayload(bytes(item.payload()))
                .build();
    }

    private static Outgoing read(RunProto.Outgoing item) {
        return new Outgoing(
                readId(item.getId()),
                item.getWorkflowId(),
                item.getKind(),
                item.getPayload().toByteArray());
    }

    public static RunProto.Commit write(Commit commit) {
        return RunProto.Commit.newBuilder()
                .setRunId(ValueWire.write(commit.runId()))
                .setFence(write(commit.fence()))
                .setAppend(write(commit.append()))
                .setConsumed(commit.consumed())
                .setNext(write(commit.next()))
                .addAllOutbox(all(commit.outbox(), RunWire::write))
                .setFromOwner(commit.isFromOwner())
                .build();
    }

    public static Commit read(RunProto.Commit commit) {
        return new Commit(
                readId(commit.getRunId()),
                read(commit.getFence()),
                read(commit.getAppend()),
                commit.getConsumed(),
                read(commit.getNext()),
                all(commit.getOutboxList(), RunWire::read),
                commit.getFromOwner());
    }

    public static RunProto.HistoryAppend write(HistoryAppend append) {
        return RunProto.HistoryAppend.newBuilder()
                .setRunId(ValueWire.write(append.runId()))
                .setSeq(append.seq())
                .setEpoch(text(append.epoch()))
                .setAppend(write(append.append()))
                .build();
    }

    public static HistoryAppend read(RunProto.HistoryAppend append) {
        return new HistoryAppend(
                readId(append.getRunId()), append.getSeq(), append.getEpoch(), read(append.getAppend()));
    }

    public static RunProto.CommitOutcome write(CommitOutcome outcome) {
        RunProto.CommitOutcome.Builder to = RunProto.CommitOutcome.newBuilder();
        if (outcome instanceof CommitOutcome.Committed committed) {
            to.setCommitted(RunProto.Committed.newBuilder()
                    .setAt(ValueWire.write(committed.at()))
                    .setMail(committed.mail()));
        } else if (outcome instanceof CommitOutcome.Fenced) {
            to.setFenced(true);
        } else if (outcome instanceof CommitOutcome.NewMail mail) {
            to.setNewMail(mail.mail());
        } else if (outcome instanceof CommitOutcome.TooEarly early) {
            to.setTooEarly(ValueWire.write(early.now()));
        } else if (outcome instanceof CommitOutcome.Locked) {
            to.setLocked(true);
        } else if (outcome instanceof CommitOutcome.Rejected rejected) {
            to.setRejected(ErrorWire.write(rejected.reason()));
        } else {
            to.setUnknown(ErrorWire.write(((CommitOutcome.Unknown) outcome).cause()));
        }
        return to.build();
    }

    public static CommitOutcome read(RunProto.CommitOutcome outcome) {
        return switch (outcome.getOutcomeCase()) {
            case COMMITTED ->
                new CommitOutcome.Committed(
                        readInstant(outcome.getCommitted().getAt()),
                        outcome.getCommitted().getMail());
            case FENCED -> new CommitOutcome.Fenced();
            case NEW_MAIL -> new CommitOutcome.NewMail(outcome.getNewMail());
            case TOO_EARLY -> new CommitOutcome.TooEarly(readInstant(outcome.getTooEarly()));
            case LOCKED -> new CommitOutcome.Locked();
            case REJECTED -> new CommitOutcome.Rejected(ErrorWire.read(outcome.getRejected()));
            case UNKNOWN -> new CommitOutcome.Unknown(ErrorWire.read(outcome.getUnknown()));
            case OUTCOME_NOT_SET -> throw ValueWire.unknown("outcome of a commit");
        };
    }

    public static RunProto.Delivery write(Delivery delivery) {
        return RunProto.Delivery.newBuilder()
                .setWorkflowId(text(delivery.workflowId()))
                .setKey(text(delivery.key()))
                .setKind(delivery.kind())
                .setPayload(bytes(delivery.payload()))
                .setFence(write(delivery.fence()))
                .build();
    }

    public static Delivery read(RunProto.Delivery delivery) {
        return new Delivery(
                delivery.getWorkflowId(),
                delivery.getKey(),
                delivery.getKind(),
                delivery.getPayload().toByteArray(),
                read(delivery.getFence()));
    }

    public static RunProto.DeliverOutcome write(DeliverOutcome outcome) {
        RunProto.DeliverOutcome.Builder to = RunProto.DeliverOutcome.newBuilder();
        if (outcome instanceof DeliverOutcome.Accepted accepted) {
            to.setAccepted(RunProto.Accepted.newBuilder()
                    .setAt(ValueWire.write(accepted.at()))
                    .setPosition(accepted.position())
                    .setRun(write(accepted.run()))
                    .setEpoch(text(accepted.epoch())));
        } else if (outcome instanceof DeliverOutcome.Duplicate duplicate) {
            to.setDuplicate(duplicate.position());
        } else if (outcome instanceof DeliverOutcome.NoRun) {
            to.setNoRun(true);
        } else if (outcome instanceof DeliverOutcome.RunClosed closed) {
            to.setClosed(write(closed.run()));
        } else if (outcome instanceof DeliverOutcome.Fenced) {
            to.setFenced(true);
        } else if (outcome instanceof DeliverOutcome.Locked) {
            to.setLocked(true);
        } else if (outcome instanceof DeliverOutcome.Rejected rejected) {
            to.setRejected(ErrorWire.write(rejected.reason()));
        } else {
            to.setUnknown(ErrorWire.write(((DeliverOutcome.Unknown) outcome).cause()));
        }
        return to.build();
    }

    public static DeliverOutcome read(RunProto.DeliverOutcome outcome) {
        return switch (outcome.getOutcomeCase()) {
            case ACCEPTED ->
                new DeliverOutcome.Accepted(
                        readInstant(outcome.getAccepted().getAt()),
                        outcome.getAccepted().getPosition(),
                        read(outcome.getAccepted().getRun()),
                        outcome.getAccepted().getEpoch());
            case DUPLICATE -> new DeliverOutcome.Duplicate(outcome.getDuplicate());
            case NO_RUN -> new DeliverOutcome.NoRun();
            case CLOSED -> new DeliverOutcome.RunClosed(read(outcome.getClosed()));
            case FENCED -> new DeliverOutcome.Fenced();
            case LOCKED -> new DeliverOutcome.Locked();
            case REJECTED -> new DeliverOutcome.Rejected(ErrorWire.read(outcome.getRejected()));
            case UNKNOWN -> new DeliverOutcome.Unknown(ErrorWire.read(outcome.getUnknown()));
            case OUTCOME_NOT_SET -> throw ValueWire.unknown("outcome of a delivery");
        };
    }

    public static RunProto.HistoryRow write(HistoryRow row) {
        return RunProto.HistoryRow.newBuilder()
                .setRunId(ValueWire.write(row.runId()))
                .setSeq(row.seq())
                .setCount(row.count())
                .setAt(ValueWire.write(row.at()))
                .setChecksum(row.checksum())
                .setPayload(bytes(row.payload()))
                .build();
    }

    public static HistoryRow read(RunProto.HistoryRow row) {
        return new HistoryRow(
                readId(row.getRunId()),
                row.getSeq(),
                row.getCount(),
                readInstant(row.getAt()),
                row.getChecksum(),
                row.getPayload().toByteArray());
    }

    public static RunProto.InboxMessage write(InboxMessage item) {
        return RunProto.InboxMessage.newBuilder()
                .setPosition(item.position())
                .setKey(text(item.key()))
                .setKind(item.kind())
                .setAcceptedAt(ValueWire.write(item.acceptedAt()))
                .setPayload(bytes(item.payload()))
                .build();
    }

    public static InboxMessage read(RunProto.InboxMessage item) {
        return new InboxMessage(
                item.getPosition(),
                item.getKey(),
                item.getKind(),
                readInstant(item.getAcceptedAt()),
                item.getPayload().toByteArray());
    }

    public static RunProto.OutboxPage write(OutboxPage page) {
        RunProto.OutboxPage.Builder to = RunProto.OutboxPage.newBuilder()
                .setEpoch(text(page.epoch()))
                .setNow(ValueWire.write(page.now()))
                .addAllItems(all(page.items(), RunWire::write));
        if (page.next() != null) {
            to.setNext(text(page.next()));
        }
        return to.build();
    }

    public static OutboxPage read(RunProto.OutboxPage page) {
        return new OutboxPage(
                page.getEpoch(),
                readInstant(page.getNow()),
                all(page.getItemsList(), RunWire::read),
                page.hasNext() ? page.getNext() : null);
    }

    public static RunProto.Purged write(Purged purged) {
        RunProto.Purged.Builder to = RunProto.Purged.newBuilder().setRuns(purged.runs());
        purged.next().ifPresent(next -> to.setNext(ValueWire.write(next)));
        return to.build();
    }

    public static Purged read(RunProto.Purged purged) {
        return new Purged(
                purged.getRuns(), purged.hasNext() ? Optional.of(readId(purged.getNext())) : Optional.empty());
    }
}
