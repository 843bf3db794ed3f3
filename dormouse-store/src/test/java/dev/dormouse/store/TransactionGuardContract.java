package dev.dormouse.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.run.CommitOutcome;
import java.sql.Connection;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A user's code can neither end the transaction that it takes part in nor use it afterwards. */
interface TransactionGuardContract extends TransactionWords {

    static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        DormouseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_ALLOWED_HERE))
                .hasMessageMatching("(?s)\\[DM1009] Expected .*, but .*\\. .+\\.");
    }

    @Test
    default void callThatWouldEndTheTransactionIsRefusedAndHasNoEffect() throws Exception {
        Held held = heldBesideTable("a");
        try (StoreTransaction transaction = adding("one")) {
            Connection connection = transaction.connection();
            assertRefused(connection::commit);
            assertRefused(connection::rollback);
            assertRefused(connection::close);
            assertRefused(() -> connection.abort(Runnable::run));
            assertRefused(() -> connection.setAutoCommit(true));
            assertRefused(() -> connection.setReadOnly(true));
            assertRefused(() -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE));
            assertThat(connection.getAutoCommit()).isFalse();
            assertThat(connection.isClosed()).isFalse();
            add(transaction, "two");
            assertThat(transaction.commit(held.step())).isInstanceOf(CommitOutcome.Committed.class);
        }
        assertThat(stored()).containsExactly("one", "two");
    }

    @Test
    default void textThatWouldEndTheTransactionIsRefused() throws Exception {
        Held held = heldBesideTable("a");
        try (StoreTransaction transaction = adding("one")) {
            Connection connection = transaction.connection();
            for (String sql : List.of(
                    "commit",
                    " COMMIT;",
                    "Commit and chain",
                    "rollback",
                    "ROLLBACK WORK",
                    "end",
                    "begin",
                    "start  transaction",
                    "abort",
                    "prepare transaction 'x'",
                    "-- done\n;; /* so */\n commit")) {
                assertRefused(() -> connection.prepareStatement(sql));
                assertRefused(() -> connection.prepareCall(sql));
            }
            assertThat(transaction.commit(held.step())).isInstanceOf(CommitOutcome.Committed.class);
        }
        assertThat(stored()).containsExactly("one");
    }

    @Test
    default void connectionOfATransactionThatHasEndedIsOfNoUse() throws Exception {
        Held held = heldBesideTable("a");
        StoreTransaction committed = adding("one");
        committed.commit(held.step());
        StoreTransaction closed = adding("two");
        closed.close();
        for (StoreTransaction ended : List.of(committed, closed)) {
            Connection connection = ended.connection();
            assertThat(connection.isClosed()).isTrue();
            assertRefused(connection::createStatement);
            assertRefused(() -> userRows().add(connection, "three"));
            connection.close();
        }
        assertThat(stored()).containsExactly("one");
    }

    @Test
    default void guardedConnectionIsItself() throws Exception {
        try (StoreTransaction transaction = begin()) {
            Connection connection = transaction.connection();
            assertThat(connection).isEqualTo(transaction.connection()).hasSameHashCodeAs(transaction.connection());
            assertThat(connection.unwrap(Connection.class)).isSameAs(connection);
            assertThat(connection.isWrapperFor(Connection.class)).isTrue();
        }
    }
}
