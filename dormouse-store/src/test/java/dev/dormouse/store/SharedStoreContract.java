package dev.dormouse.store;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of every store, apart from transactions on a connection, which only a store in a database has. Extend this
 * class in the store's module and supply the store; for a store with transactions, extend {@link StoreContract}. The tests
 * are hostile on purpose.
 *
 * <p>Only the store's clock defines the time. If that clock can be set, override {@link #passTime} to set it. No test
 * expects the clock to advance by itself, or to stand still.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class SharedStoreContract
        implements StartContract,
                StartAgainContract,
                FirstEventsContract,
                CommitContract,
                CommitAgainContract,
                AppendContract,
                NoteContract,
                AlarmContract,
                ClaimContract,
                ProbationContract,
                RefusedContract,
                QueueContract,
                QueueLeaseContract,
                RateContract,
                QueueStressContract,
                DeliverContract,
                DeliverManyContract,
                ContinueContract,
                RenewContract,
                NodeContract,
                ReadContract,
                ListContract,
                DueContract,
                CensusContract,
                TallyContract,
                PurgeContract,
                OutboxContract,
                OutboxFenceContract,
                QuestionContract,
                SubscriptionContract,
                PastEventContract,
                DefinitionContract,
                OddInputContract,
                ShardContract,
                ConcurrencyContract,
                StressContract {
    private Store store;

    /** Opens a new, empty database with {@code shards} shards. */
    protected abstract Store open(int shards) throws Exception;

    /** Closes a store that {@link #open} returned. A subclass may keep parts of it for the next test. */
    protected void close(Store opened) throws Exception {
        opened.close();
    }

    /** Closes what {@link #open} opened, if closing the store is not enough. */
    protected void cleanUp() throws Exception {}

    @Override
    public Store peer() {
        return store;
    }

    /** Returns the table {@code mine}, which users' statements find by this name. */
    @Override
    public UserRows userRows() {
        return UserRows.inTable("mine");
    }

    /** Waits until the store's own clock has advanced; the waits of this suite are some milliseconds long. */
    @Override
    public void passTime(Duration time) {
        Instant end = now().plus(time);
        while (now().isBefore(end)) {
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
        }
    }

    @Override
    public final Store store() {
        return store;
    }

    @Override
    public final void reopen(int shards) throws Exception {
        close(store);
        cleanUp();
        store = open(shards);
    }

    @BeforeEach
    final void openStore() throws Exception {
        store = open(1);
    }

    @AfterEach
    final void closeStore() throws Exception {
        close(store);
        cleanUp();
    }
}
