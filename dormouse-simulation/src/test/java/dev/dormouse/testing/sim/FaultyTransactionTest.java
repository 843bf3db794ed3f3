package dev.dormouse.testing.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.store.Store;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.event.Note;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Start;
import dev.dormouse.testing.memory.MemoryStore;
import dev.dormouse.testing.memory.UserTable;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Faults of transactions: rows and commit succeed together or fail together. */
class FaultyTransactionTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final long LEASE = 7;

    private final SimWorld world = new SimWorld(21);
    private final SimDatabase database = new SimDatabase(world, new MemoryStore(world.storeClock(), 1));

    private static UUID id(int number) {
        return new UUID(1, number);
    }

    private void start(int number) {
        NextState next = NextState.running(LEASE, Duration.ofDays(1));
        Append first = new Append(1, new byte[0], 1);
        database.store()
                .start(0, List.of(new Start("wf-" + number, id(number), "T", "lane", "n", next, first, Set.of())));
    }

    private static Commit step(int number) {
        return new Commit(
                id(number), Fence.of(LEASE, 1), new Append(1, new byte[0], 2), 0, NextState.running(LEASE), List.of());
    }

    private static StoreTransaction adding(Store store, int number) {
        StoreTransaction transaction = store.begin(0);
        try {
            transaction.connection().unwrap(UserTable.class).add("row-" + number);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return transaction;
    }

    private static CommitOutcome addAndCommit(Store store, int number) {
        try (StoreTransaction transaction = adding(store, number)) {
            return transaction.commit(step(number));
        }
    }

    /** Returns true if row and commit are stored, and false if neither is. */
    private boolean isStored(int number) {
        boolean hasRow = database.store().userRows().contains("row-" + number);
        int nextSeq = database.store().run(0, id(number)).orElseThrow().nextSeq();
        assertThat(nextSeq).isEqualTo(hasRow ? 2 : 1);
        return hasRow;
    }

    @Test
    void transactionTakesTimeAndIsCommitted() {
        world.run(() -> {
            Store store = database.connect(world.newNode("n"), FaultProfile.CALM);
            start(1);
            Duration before = world.elapsed();
            assertThat(addAndCommit(store, 1)).isInstanceOf(CommitOutcome.Committed.class);
            assertThat(world.elapsed()).isGreaterThan(before);
            assertThat(isStored(1)).isTrue();
            adding(store, 2).close();
            assertThat(database.store().userRows()).containsExactly("row-1");
        });
    }

    @Test
    void unknownTransactionMayBeAppliedAtOnceLaterOrNever() {
        Set<String> seen = new HashSet<>();
        world.run(() -> {
            FaultyStore store = database.connect(world.newNode("n"), FaultProfile.CALM);
            for (int i = 0; i < 50; i++) {
                start(i);
                store.behave(FaultProfile.CALM);
                StoreTransaction transaction = adding(store, i);
                store.behave(FaultProfile.CALM.withUnknown(1));
                assertThat(transaction.commit(step(i))).isInstanceOf(CommitOutcome.Unknown.class);
                transaction.close();
                boolean atOnce = isStored(i);
                world.sleep(MINUTE);
                seen.add(atOnce ? "at once" : isStored(i) ? "later" : "never");
            }
        });
        assertThat(seen).containsExactlyInAnyOrder("at once", "later", "never");
    }

    @Test
    void transactionThatIsAppliedLateIsFencedLikeAnyOther() {
        world.run(() -> {
            FaultyStore store = database.connect(world.newNode("n"), FaultProfile.CALM);
            for (int i = 0; i < 30; i++) {
                start(i);
                store.behave(FaultProfile.CALM);
                StoreTransaction transaction = adding(store, i);
                store.behave(FaultProfile.CALM.withUnknown(1));
                transaction.commit(step(i));
                boolean atOnce = isStored(i);
                Commit other = new Commit(
                        id(i), Fence.of(LEASE, 1), Append.nothing(1), 0, NextState.running(8, MINUTE), List.of());
                database.store().commit(0, List.of(other));
                world.sleep(MINUTE);
                assertThat(isStored(i)).isEqualTo(atOnce);
            }
        });
    }

    @Test
    void beginningFailsWhenTheConnectionBreaks() {
        world.run(() -> {
            Store store = database.connect(world.newNode("n"), FaultProfile.CALM.withUnknown(1));
            assertThatThrownBy(() -> store.begin(0)).isInstanceOf(StoreException.class);
            assertThatThrownBy(() -> store.note(0, List.of(new Note(id(1), LEASE, 1, 1, new byte[0]))))
                    .isInstanceOf(StoreException.class);
        });
    }

    @Test
    void lockedTransactionStaysOpen() {
        world.run(() -> {
            FaultyStore store = database.connect(world.newNode("n"), FaultProfile.CALM.withLocked(1));
            start(1);
            try (StoreTransaction transaction = adding(store, 1)) {
                assertThat(transaction.commit(step(1))).isEqualTo(new CommitOutcome.Locked());
                assertThat(isStored(1)).isFalse();
                store.behave(FaultProfile.CALM);
                assertThat(transaction.commit(step(1))).isInstanceOf(CommitOutcome.Committed.class);
            }
            assertThat(isStored(1)).isTrue();
        });
    }

    @Test
    void nodeMayCrashAtEachPoint() {
        Set<Boolean> applied = new HashSet<>();
        world.run(() -> {
            for (int i = 0; i < 40; i++) {
                int number = i;
                start(number);
                SimNode node = world.newNode("n" + i);
                Store store = database.connect(node, FaultProfile.CALM.withCrashes(0.5));
                node.threads().startEngine("stepper", () -> {
                    addAndCommit(store, number);
                    node.kill();
                });
                world.sleep(MINUTE);
                assertThat(node.isKilled()).isTrue();
                applied.add(isStored(number));
            }
        });
        assertThat(applied).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void transactionIsLostWithTheServerThatItWasBegunOn() {
        world.run(() -> {
            Store store = database.connect(world.newNode("n"), FaultProfile.CALM);
            start(1);
            try (StoreTransaction transaction = adding(store, 1)) {
                database.failOver(0);
                assertThat(transaction.commit(step(1))).isInstanceOf(CommitOutcome.Unknown.class);
            }
            world.sleep(MINUTE);
            assertThat(isStored(1)).isFalse();
        });
    }

    @Test
    void failoverLosesRowsTogetherWithTheirCommit() {
        world.run(() -> {
            Store store = database.connect(world.newNode("n"), FaultProfile.CALM);
            start(1);
            start(2);
            addAndCommit(store, 1);
            addAndCommit(store, 2);
            database.failOver(1);
            assertThat(isStored(1)).isTrue();
            assertThat(isStored(2)).isFalse();
        });
    }
}
