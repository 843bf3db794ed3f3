package dev.dormouse.remote.serve;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.remote.wire.ErrorWire;
import dev.dormouse.store.Store;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.HistoryAppend;
import dev.dormouse.store.run.Outgoing;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;

/** The group commits of a server: a {@link BatchMerger} for each shard and kind of entry. */
final class StoreBatches implements AutoCloseable {
    private static final int ENTRY_BYTES = 200;
    private static final int MAX_ENTRIES = 1_000;
    private static final long MAX_BYTES = 8L << 20;
    private static final int MAX_WAITING = 20_000;
    private static final long MAX_WAITING_BYTES = 64L << 20;

    /** For starts and deliveries: one writer, which keeps the order of deliveries to one workflow id. */
    private static final BatchMerger.Limits IN_ORDER =
            new BatchMerger.Limits(1, MAX_ENTRIES, MAX_BYTES, MAX_WAITING, MAX_WAITING_BYTES);

    /** For commits and appends, of which only one for each run can be on its way. */
    private static final BatchMerger.Limits BESIDE_EACH_OTHER =
            new BatchMerger.Limits(2, MAX_ENTRIES, MAX_BYTES, MAX_WAITING, MAX_WAITING_BYTES);

    /** The mergers of one shard. */
    record Shard(
            BatchMerger<Start, StartOutcome> starts,
            BatchMerger<Commit, CommitOutcome> commits,
            BatchMerger<HistoryAppend, CommitOutcome> appends,
            BatchMerger<LeasedDelivery, DeliverOutcome> deliveries) {}

    /** A delivery and the lease period of its sender: only deliveries with the same one share a batch. */
    record LeasedDelivery(Delivery delivery, Duration leasePeriod) {}

    private final List<Shard> shards;

    StoreBatches(Store store, Executor writers) {
        shards = IntStream.range(0, store.shards())
                .mapToObj(shard -> new Shard(
                        new BatchMerger<>(new Starts(store, shard), IN_ORDER, writers),
                        new BatchMerger<>(new Commits(store, shard), BESIDE_EACH_OTHER, writers),
                        new BatchMerger<>(new Appends(store, shard), BESIDE_EACH_OTHER, writers),
                        new BatchMerger<>(new Deliveries(store, shard), IN_ORDER, writers)))
                .toList();
    }

    /**
     * Returns the mergers of a shard.
     *
     * @throws DormouseException BAD_ARGUMENT if there is no such shard
     */
    Shard of(int shard) {
        if (shard < 0 || shard >= shards.size()) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a shard from 0 to " + (shards.size() - 1) + ", but got " + shard
                            + ". Ask the server for the number of shards.");
        }
        return shards.get(shard);
    }

    @Override
    public void close() {
        shards.forEach(shard -> {
            shard.starts.close();
            shard.commits.close();
            shard.appends.close();
            shard.deliveries.close();
        });
    }

    record Starts(Store store, int shard) implements BatchMerger.Kind<Start, StartOutcome> {
        @Override
        public List<StartOutcome> send(List<Start> batch) {
            return store.start(shard, batch);
        }

        @Override
        public List<Object> keys(Start entry) {
            return List.of(entry.workflowId(), entry.runId());
        }

        @Override
        public int bytes(Start entry) {
            return ENTRY_BYTES + entry.first().payload().length;
        }

        @Override
        public StartOutcome failed(Throwable problem) {
            return new StartOutcome.Unknown(ErrorWire.failed(problem));
        }
    }

    record Commits(Store store, int shard) implements BatchMerger.Kind<Commit, CommitOutcome> {
        @Override
        public List<CommitOutcome> send(List<Commit> batch) {
            return store.commit(shard, batch);
        }

        @Override
        public List<Object> keys(Commit entry) {
            return List.of(entry.runId());
        }

        @Override
        public int bytes(Commit entry) {
            int bytes = ENTRY_BYTES + entry.append().payload().length;
            for (Outgoing item : entry.outbox()) {
                bytes += ENTRY_BYTES + item.payload().length;
            }
            return bytes;
        }

        @Override
        public CommitOutcome failed(Throwable problem) {
            return new CommitOutcome.Unknown(ErrorWire.failed(problem));
        }
    }

    record Appends(Store store, int shard) implements BatchMerger.Kind<HistoryAppend, CommitOutcome> {
        @Override
        public List<CommitOutcome> send(List<HistoryAppend> batch) {
            return store.append(shard, batch);
        }

        @Override
        public List<Object> keys(HistoryAppend entry) {
            return List.of(entry.runId());
        }

        @Override
        public int bytes(HistoryAppend entry) {
            return ENTRY_BYTES + entry.append().payload().length;
        }

        @Override
        public CommitOutcome failed(Throwable problem) {
            return new CommitOutcome.Unknown(ErrorWire.failed(problem));
        }
    }

    record Deliveries(Store store, int shard) implements BatchMerger.Kind<LeasedDelivery, DeliverOutcome> {
        @Override
        public List<DeliverOutcome> send(List<LeasedDelivery> batch) {
            List<Delivery> deliveries =
                    batch.stream().map(LeasedDelivery::delivery).toList();
            return store.deliver(shard, deliveries, batch.get(0).leasePeriod());
        }

        @Override
        public List<Object> keys(LeasedDelivery entry) {
            return List.of(
                    List.of(entry.delivery().workflowId(), entry.delivery().key()));
        }

        @Override
        public int bytes(LeasedDelivery entry) {
            return ENTRY_BYTES + entry.delivery().payload().length;
        }

        @Override
        public boolean fit(LeasedDelivery first, LeasedDelivery other) {
            return first.leasePeriod().equals(other.leasePeriod());
        }

        @Override
        public DeliverOutcome failed(Throwable problem) {
            return new DeliverOutcome.Unknown(ErrorWire.failed(problem));
        }
    }
}
