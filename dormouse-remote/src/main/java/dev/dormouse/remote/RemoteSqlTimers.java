package dev.dormouse.remote;

import static dev.dormouse.remote.wire.ValueWire.all;
import static dev.dormouse.remote.wire.ValueWire.readInstant;

import dev.dormouse.inspect.SqlTimer;
import dev.dormouse.inspect.SqlTimerId;
import dev.dormouse.remote.v1.StoreGrpc;
import dev.dormouse.remote.v1.StoreProto.CancelSqlTimerRequest;
import dev.dormouse.remote.v1.StoreProto.CountDueSqlTimersRequest;
import dev.dormouse.remote.v1.StoreProto.DueSqlTimersRequest;
import dev.dormouse.remote.v1.StoreProto.FailedSqlTimersRequest;
import dev.dormouse.remote.v1.StoreProto.GetSqlTimerRequest;
import dev.dormouse.remote.v1.StoreProto.GetSqlTimerResponse;
import dev.dormouse.remote.v1.StoreProto.LastDueSqlTimerRequest;
import dev.dormouse.remote.v1.StoreProto.LastDueSqlTimerResponse;
import dev.dormouse.remote.v1.StoreProto.MoveSqlTimerRequest;
import dev.dormouse.remote.wire.PageWire;
import dev.dormouse.remote.wire.ValueWire;
import dev.dormouse.store.page.DueCounts;
import dev.dormouse.store.page.DuePage;
import dev.dormouse.store.page.DuePlace;
import dev.dormouse.store.timer.SqlTimerStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The timers that were set in SQL, as calls. */
record RemoteSqlTimers(ServerCalls calls) implements SqlTimerStore {

    @Override
    public DuePage<SqlTimer> due(@Nullable DuePlace after, int limit) {
        DueSqlTimersRequest.Builder request = DueSqlTimersRequest.newBuilder().setLimit(limit);
        if (after != null) {
            request.setAfter(PageWire.write(after));
        }
        return PageWire.read(
                calls.read(StoreGrpc.getDueSqlTimersMethod(), request.build()).getPage());
    }

    @Override
    public DueCounts dueCounts(Instant overdueBefore, List<Instant> bounds) {
        CountDueSqlTimersRequest request = CountDueSqlTimersRequest.newBuilder()
                .setOverdueBefore(ValueWire.write(overdueBefore))
                .addAllBounds(ValueWire.writeInstants(bounds))
                .build();
        return PageWire.read(
                calls.read(StoreGrpc.getCountDueSqlTimersMethod(), request).getCounts());
    }

    @Override
    public Optional<Instant> lastDue() {
        LastDueSqlTimerResponse answer =
                calls.read(StoreGrpc.getLastDueSqlTimerMethod(), LastDueSqlTimerRequest.getDefaultInstance());
        return answer.hasAt() ? Optional.of(readInstant(answer.getAt())) : Optional.empty();
    }

    @Override
    public List<SqlTimer> failed(int limit) {
        FailedSqlTimersRequest request =
                FailedSqlTimersRequest.newBuilder().setLimit(limit).build();
        return all(calls.read(StoreGrpc.getFailedSqlTimersMethod(), request).getTimersList(), PageWire::read);
    }

    @Override
    public Optional<SqlTimer> get(SqlTimerId id) {
        GetSqlTimerRequest request =
                GetSqlTimerRequest.newBuilder().setId(PageWire.write(id)).build();
        GetSqlTimerResponse answer = calls.read(StoreGrpc.getGetSqlTimerMethod(), request);
        return answer.hasTimer() ? Optional.of(PageWire.read(answer.getTimer())) : Optional.empty();
    }

    @Override
    public boolean move(SqlTimerId id, Instant at) {
        MoveSqlTimerRequest request = MoveSqlTimerRequest.newBuilder()
                .setId(PageWire.write(id))
                .setAt(ValueWire.write(at))
                .build();
        return calls.call(StoreGrpc.getMoveSqlTimerMethod(), request).getMoved();
    }

    @Override
    public boolean cancel(SqlTimerId id) {
        CancelSqlTimerRequest request =
                CancelSqlTimerRequest.newBuilder().setId(PageWire.write(id)).build();
        return calls.call(StoreGrpc.getCancelSqlTimerMethod(), request).getCancelled();
    }
}
