package dev.dormouse.remote;

import static dev.dormouse.remote.wire.ValueWire.all;
import static dev.dormouse.remote.wire.ValueWire.readInstant;
import static dev.dormouse.remote.wire.ValueWire.text;

import dev.dormouse.inspect.Count;
import dev.dormouse.remote.v1.StoreGrpc;
import dev.dormouse.remote.v1.StoreProto.CensusRequest;
import dev.dormouse.remote.v1.StoreProto.CountDueRequest;
import dev.dormouse.remote.v1.StoreProto.DueRunsRequest;
import dev.dormouse.remote.v1.StoreProto.ForgetTalliesRequest;
import dev.dormouse.remote.v1.StoreProto.LastDueRequest;
import dev.dormouse.remote.v1.StoreProto.LastDueResponse;
import dev.dormouse.remote.v1.StoreProto.OverdueLanesRequest;
import dev.dormouse.remote.v1.StoreProto.QueueDepthsRequest;
import dev.dormouse.remote.v1.StoreProto.TalliesRequest;
import dev.dormouse.remote.v1.StoreProto.TallyRequest;
import dev.dormouse.remote.wire.ClaimWire;
import dev.dormouse.remote.wire.PageWire;
import dev.dormouse.remote.wire.ValueWire;
import dev.dormouse.store.base.NodeState;
import dev.dormouse.store.page.DueCounts;
import dev.dormouse.store.page.DuePage;
import dev.dormouse.store.page.DuePlace;
import dev.dormouse.store.page.OverdueLane;
import dev.dormouse.store.page.PageStore;
import dev.dormouse.store.page.StatusCounts;
import dev.dormouse.store.page.Tally;
import dev.dormouse.store.run.RunKind;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The queries of dashboards as calls. */
record RemotePages(ServerCalls calls) implements PageStore {

    @Override
    public DuePage<RunRow> due(int shard, Set<RunKind> kinds, @Nullable DuePlace after, int limit) {
        DueRunsRequest.Builder request = DueRunsRequest.newBuilder()
                .setShard(shard)
                .addAllKinds(PageWire.write(kinds))
                .setLimit(limit);
        if (after != null) {
            request.setAfter(PageWire.write(after));
        }
        return PageWire.read(
                calls.read(StoreGrpc.getDueRunsMethod(), request.build()).getPage());
    }

    @Override
    public DueCounts dueCounts(int shard, Set<RunKind> kinds, Instant overdueBefore, List<Instant> bounds) {
        CountDueRequest request = CountDueRequest.newBuilder()
                .setShard(shard)
                .addAllKinds(PageWire.write(kinds))
                .setOverdueBefore(ValueWire.write(overdueBefore))
                .addAllBounds(ValueWire.writeInstants(bounds))
                .build();
        return PageWire.read(calls.read(StoreGrpc.getCountDueMethod(), request).getCounts());
    }

    @Override
    public Optional<Instant> lastDue(int shard, Set<RunKind> kinds) {
        LastDueRequest request = LastDueRequest.newBuilder()
                .setShard(shard)
                .addAllKinds(PageWire.write(kinds))
                .build();
        LastDueResponse answer = calls.read(StoreGrpc.getLastDueMethod(), request);
        return answer.hasAt() ? Optional.of(readInstant(answer.getAt())) : Optional.empty();
    }

    @Override
    public Map<String, Count> queueDepths(int shard, Instant now) {
        QueueDepthsRequest request = QueueDepthsRequest.newBuilder()
                .setShard(shard)
                .setNow(ValueWire.write(now))
                .build();
        return PageWire.readDepths(
                calls.read(StoreGrpc.getQueueDepthsMethod(), request).getDepthsList());
    }

    @Override
    public List<OverdueLane> overdueLanes(int shard, Instant before) {
        OverdueLanesRequest request = OverdueLanesRequest.newBuilder()
                .setShard(shard)
                .setBefore(ValueWire.write(before))
                .build();
        return all(calls.read(StoreGrpc.getOverdueLanesMethod(), request).getLanesList(), PageWire::read);
    }

    @Override
    public StatusCounts census(int shard, Set<RunKind> kinds) {
        CensusRequest request = CensusRequest.newBuilder()
                .setShard(shard)
                .addAllKinds(PageWire.write(kinds))
                .build();
        return PageWire.read(calls.read(StoreGrpc.getCensusMethod(), request).getCounts());
    }

    @Override
    public void tally(int shard, String nodeId, NodeState state, List<Tally> tallies) {
        calls.call(
                StoreGrpc.getTallyMethod(),
                TallyRequest.newBuilder()
                        .setShard(shard)
                        .setNodeId(text(nodeId))
                        .setState(ClaimWire.write(state))
                        .addAllTallies(all(tallies, PageWire::write))
                        .build());
    }

    @Override
    public List<Tally> tallies(int shard, Duration length, Instant from, Instant to) {
        TalliesRequest request = TalliesRequest.newBuilder()
                .setShard(shard)
                .setLength(ValueWire.write(length))
                .setFromSlot(ValueWire.write(from))
                .setBeforeSlot(ValueWire.write(to))
                .build();
        return all(calls.read(StoreGrpc.getTalliesMethod(), request).getTalliesList(), PageWire::read);
    }

    @Override
    public int forgetTallies(int shard, Duration length, Instant before) {
        ForgetTalliesRequest request = ForgetTalliesRequest.newBuilder()
                .setShard(shard)
                .setLength(ValueWire.write(length))
                .setBefore(ValueWire.write(before))
                .build();
        return calls.call(StoreGrpc.getForgetTalliesMethod(), request).getCount();
    }
}
