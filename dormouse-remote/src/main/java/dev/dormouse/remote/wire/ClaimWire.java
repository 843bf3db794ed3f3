package dev.dormouse.remote.wire;

import static dev.dormouse.remote.wire.ValueWire.all;
import static dev.dormouse.remote.wire.ValueWire.readDuration;
import static dev.dormouse.remote.wire.ValueWire.readId;
import static dev.dormouse.remote.wire.ValueWire.readInstant;
import static dev.dormouse.remote.wire.ValueWire.readInstants;
import static dev.dormouse.remote.wire.ValueWire.text;
import static dev.dormouse.remote.wire.ValueWire.texts;
import static dev.dormouse.remote.wire.ValueWire.writeInstants;

import dev.dormouse.remote.v1.ClaimProto;
import dev.dormouse.store.base.NodeRow;
import dev.dormouse.store.base.NodeState;
import dev.dormouse.store.queue.QueueClaim;
import dev.dormouse.store.queue.QueueClaimed;
import dev.dormouse.store.run.Claim;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.Renewal;
import dev.dormouse.store.run.Renewed;
import dev.dormouse.store.run.Sweep;
import dev.dormouse.store.run.Swept;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Conversion of claims, leases, queues and nodes. */
public final class ClaimWire {
    private ClaimWire() {}

    public static ClaimProto.Claim write(Claim claim) {
        return ClaimProto.Claim.newBuilder()
                .addAllLanes(texts(claim.lanes()))
                .setLimit(claim.limit())
                .setLease(claim.lease())
                .setLeasePeriod(ValueWire.write(claim.leasePeriod()))
                .setOwner(text(claim.owner()))
                .setBuild(text(claim.build()))
                .setPatience(ValueWire.write(claim.patience()))
                .setTakeOverBefore(ValueWire.write(claim.takeOverBefore()))
                .setFloor(ValueWire.write(claim.floor()))
                .build();
    }

    public static Claim read(ClaimProto.Claim claim) {
        return new Claim(
                List.copyOf(claim.getLanesList()),
                claim.getLimit(),
                claim.getLease(),
                readDuration(claim.getLeasePeriod()),
                claim.getOwner(),
                claim.getBuild(),
                readDuration(claim.getPatience()),
                readInstant(claim.getTakeOverBefore()),
                readInstant(claim.getFloor()));
    }

    private static ClaimProto.ClaimedRun write(Claimed.Run run) {
        return ClaimProto.ClaimedRun.newBuilder()
                .setRow(RunWire.write(run.row()))
                .setAlarm(ValueWire.write(run.alarm()))
                .setReasonValue(run.reason().code())
                .setBeforeValue(run.before().code())
                .setHeldBy(text(run.from()))
                .addAllHistory(all(run.history(), RunWire::write))
                .build();
    }

    private static Claimed.Run read(ClaimProto.ClaimedRun run) {
        return new Claimed.Run(
                RunWire.read(run.getRow()),
                readInstant(run.getAlarm()),
                RunWire.reason(run.getReasonValue()),
                RunWire.status(run.getBeforeValue()),
                run.getHeldBy(),
                all(run.getHistoryList(), RunWire::read));
    }

    public static ClaimProto.Claimed write(Claimed claimed) {
        return ClaimProto.Claimed.newBuilder()
                .setNow(ValueWire.write(claimed.now()))
                .addAllRuns(all(claimed.runs(), ClaimWire::write))
                .setMore(claimed.more())
                .build();
    }

    public static Claimed read(ClaimProto.Claimed claimed) {
        return new Claimed(
                readInstant(claimed.getNow()), all(claimed.getRunsList(), ClaimWire::read), claimed.getMore());
    }

    private static ClaimProto.Rate write(QueueClaim.Rate rate) {
        return ClaimProto.Rate.newBuilder()
                .setNumber(rate.number())
                .setPeriod(ValueWire.write(rate.period()))
                .build();
    }

    private static QueueClaim.Rate read(ClaimProto.Rate rate) {
        return new QueueClaim.Rate(rate.getNumber(), readDuration(rate.getPeriod()));
    }

    public static ClaimProto.QueueClaim write(QueueClaim claim) {
        ClaimProto.QueueClaim.Builder to = ClaimProto.QueueClaim.newBuilder()
                .setQueue(text(claim.queue()))
                .addAllLanes(texts(claim.lanes()))
                .setLimit(claim.limit())
                .setTotal(claim.total())
                .setLease(claim.lease())
                .setLeasePeriod(ValueWire.write(claim.leasePeriod()))
                .setOwner(text(claim.owner()))
                .setBuild(text(claim.build()))
                .setPatience(ValueWire.write(claim.patience()))
                .setTakeOverBefore(ValueWire.write(claim.takeOverBefore()))
                .setFloor(ValueWire.write(claim.floor()));
        if (claim.rate() != null) {
            to.setRate(write(claim.rate()));
        }
        if (claim.keyRate() != null) {
            to.setKeyRate(write(claim.keyRate()));
        }
        return to.build();
    }

    public static QueueClaim read(ClaimProto.QueueClaim claim) {
        return new QueueClaim(
                claim.getQueue(),
                List.copyOf(claim.getLanesList()),
                claim.getLimit(),
                claim.getTotal(),
                claim.hasRate() ? read(claim.getRate()) : null,
                claim.hasKeyRate() ? read(claim.getKeyRate()) : null,
                claim.getLease(),
                readDuration(claim.getLeasePeriod()),
                claim.getOwner(),
                claim.getBuild(),
                readDuration(claim.getPatience()),
                readInstant(claim.getTakeOverBefore()),
                readInstant(claim.getFloor()));
    }

    public static ClaimProto.QueueClaimed write(QueueClaimed claimed) {
        ClaimProto.QueueClaimed.Builder to = ClaimProto.QueueClaimed.newBuilder()
                .setNow(ValueWire.write(claimed.now()))
                .addAllRuns(all(claimed.runs(), ClaimWire::write))
                .setMore(claimed.more())
                .addAllMoved(writeInstants(claimed.moved()));
        if (claimed.next() != null) {
            to.setNext(ValueWire.write(claimed.next()));
        }
        return to.build();
    }

    public static QueueClaimed read(ClaimProto.QueueClaimed claimed) {
        return new QueueClaimed(
                readInstant(claimed.getNow()),
                all(claimed.getRunsList(), ClaimWire::read),
                claimed.getMore(),
                claimed.hasNext() ? readInstant(claimed.getNext()) : null,
                readInstants(claimed.getMovedList()));
    }

    public static ClaimProto.Renewal write(Renewal renewal) {
        return ClaimProto.Renewal.newBuilder()
                .setRunId(ValueWire.write(renewal.runId()))
                .setLease(renewal.lease())
                .build();
    }

    public static Renewal read(ClaimProto.Renewal renewal) {
        return new Renewal(readId(renewal.getRunId()), renewal.getLease());
    }

    public static ClaimProto.Renewed write(Renewed renewed) {
        ClaimProto.Renewed.Builder to = ClaimProto.Renewed.newBuilder().setNow(ValueWire.write(renewed.now()));
        renewed.mail()
                .forEach((runId, mail) -> to.addMail(ClaimProto.RunMail.newBuilder()
                        .setRunId(ValueWire.write(runId))
                        .setMail(mail)));
        return to.build();
    }

    public static Renewed read(ClaimProto.Renewed renewed) {
        Map<UUID, Long> mail = new HashMap<>();
        renewed.getMailList().forEach(each -> mail.put(readId(each.getRunId()), each.getMail()));
        return new Renewed(readInstant(renewed.getNow()), mail);
    }

    public static ClaimProto.NodeState write(NodeState state) {
        return ClaimProto.NodeState.newBuilder()
                .setName(text(state.name()))
                .setExecuting(state.executing())
                .setParked(state.parked())
                .setSlots(state.slots())
                .setLeasePeriod(ValueWire.write(state.leasePeriod()))
                .setRecovered(state.recovered())
                .build();
    }

    public static NodeState read(ClaimProto.NodeState state) {
        return new NodeState(
                state.getName(),
                state.getExecuting(),
                state.getParked(),
                state.getSlots(),
                readDuration(state.getLeasePeriod()),
                state.getRecovered());
    }

    public static ClaimProto.Sweep write(Sweep sweep) {
        return ClaimProto.Sweep.newBuilder()
                .setNodeId(text(sweep.nodeId()))
                .setBuild(text(sweep.build()))
                .addAllLanes(texts(sweep.lanes()))
                .addAllQueueLanes(texts(sweep.queueLanes()))
                .setAlarms(sweep.alarms())
                .setState(write(sweep.state()))
                .build();
    }

    public static Sweep read(ClaimProto.Sweep sweep) {
        return new Sweep(
                sweep.getNodeId(),
                sweep.getBuild(),
                List.copyOf(sweep.getLanesList()),
                List.copyOf(sweep.getQueueLanesList()),
                sweep.getAlarms(),
                read(sweep.getState()));
    }

    public static ClaimProto.Swept write(Swept swept) {
        return ClaimProto.Swept.newBuilder()
                .setNow(ValueWire.write(swept.now()))
                .setEpoch(text(swept.epoch()))
                .setUpSince(ValueWire.write(swept.upSince()))
                .setOverdue(swept.overdue())
                .addAllAlarms(writeInstants(swept.alarms()))
                .setOutbox(swept.outbox())
                .setQueueOverdue(swept.queueOverdue())
                .addAllQueueAlarms(writeInstants(swept.queueAlarms()))
                .build();
    }

    public static Swept read(ClaimProto.Swept swept) {
        return new Swept(
                readInstant(swept.getNow()),
                swept.getEpoch(),
                readInstant(swept.getUpSince()),
                swept.getOverdue(),
                readInstants(swept.getAlarmsList()),
                swept.getOutbox(),
                swept.getQueueOverdue(),
                readInstants(swept.getQueueAlarmsList()));
    }

    public static ClaimProto.NodeRow write(NodeRow row) {
        return ClaimProto.NodeRow.newBuilder()
                .setNodeId(text(row.nodeId()))
                .setBuild(text(row.build()))
                .addAllLanes(texts(row.lanes()))
                .setStartedAt(ValueWire.write(row.startedAt()))
                .setSeenAt(ValueWire.write(row.seenAt()))
                .setState(write(row.state()))
                .build();
    }

    public static NodeRow read(ClaimProto.NodeRow row) {
        return new NodeRow(
                row.getNodeId(),
                row.getBuild(),
                List.copyOf(row.getLanesList()),
                readInstant(row.getStartedAt()),
                readInstant(row.getSeenAt()),
                read(row.getState()));
    }
}
