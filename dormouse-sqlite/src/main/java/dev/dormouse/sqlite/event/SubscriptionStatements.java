package dev.dormouse.sqlite.event;

import dev.dormouse.sqlite.sql.InstantColumns;
import dev.dormouse.sqlite.sql.SqlSession;
import dev.dormouse.sqlite.sql.Tx;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.event.Subscription;
import dev.dormouse.store.page.TextOrder;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Statements that store and read subscriptions: which workflow id waits for which event. */
public final class SubscriptionStatements {
    static final String KEEP = """
            insert into dormouse_subscription (shard, workflow_id, id, event, key, match, until)
            values (?, ?, ?, ?, ?, ?, ?)
            on conflict do nothing""";

    static final String TAKE_BACK = "delete from dormouse_subscription where shard = ? and workflow_id = ? and id = ?";

    static final String OF_KEY = """
            select workflow_id, id, event, key, match, until
            from dormouse_subscription indexed by dormouse_subscription_event
            where shard = ? and event = ? and key = ? and (workflow_id, id) > (?, ?) and (until is null or until > ?)
            order by workflow_id, id
            limit ?""";

    static final String FORGET = """
            delete from dormouse_subscription where rowid in (
              select rowid from dormouse_subscription indexed by dormouse_subscription_until
              where shard = ? and until <= ?
              limit ?)""";

    /** The number of expired rows that are deleted for each new row: more than one, so that their number falls. */
    private static final int FORGOTTEN_FOR_EACH = 20;

    private SubscriptionStatements() {}

    /** Stores subscriptions, except expired ones, and returns the number of expired rows that were deleted. */
    public static int keep(Tx tx, List<Subscription> batch) throws SQLException {
        for (Subscription subscription : batch) {
            keep(tx, subscription);
        }
        return tx.call(FORGET)
                .with(tx.shard())
                .with(tx.now())
                .with((long) FORGOTTEN_FOR_EACH * batch.size())
                .update();
    }

    private static void keep(Tx tx, Subscription subscription) throws SQLException {
        Long until = subscription.until() == null ? null : Micros.of(subscription.until());
        if (until == null || until > tx.now()) {
            tx.call(KEEP)
                    .with(tx.shard())
                    .with(subscription.workflowId())
                    .with(subscription.id())
                    .with(subscription.event())
                    .with(subscription.key())
                    .with(subscription.match())
                    .withOptional(until)
                    .update();
        }
    }

    /** Deletes subscriptions and returns their number. */
    public static int takeBack(Tx tx, List<Subscription> subscriptions) throws SQLException {
        int gone = 0;
        for (Subscription subscription : subscriptions) {
            gone += tx.call(TAKE_BACK)
                    .with(tx.shard())
                    .with(subscription.workflowId())
                    .with(subscription.id())
                    .update();
        }
        return gone;
    }

    /** The requested page, after the end of the previous page. A workflow id is never empty. */
    public record Page(
            String event, Collection<String> keys, @Nullable Subscription after, int limit) {
        String workflowIdBefore(String key) {
            return after != null && key.equals(after.key()) ? after.workflowId() : "";
        }

        String idBefore(String key) {
            return after != null && key.equals(after.key()) ? after.id() : "";
        }

        Collection<String> keysLeft() {
            TreeSet<String> all = new TreeSet<>(TextOrder.BY_UTF8);
            all.addAll(keys);
            return after == null ? all : all.tailSet(after.key());
        }
    }

    public static List<Subscription> read(SqlSession session, int shard, Page page, long now) throws SQLException {
        List<Subscription> found = new ArrayList<>();
        for (String key : page.keysLeft()) {
            if (found.size() == page.limit()) {
                break;
            }
            found.addAll(session.call(OF_KEY)
                    .with(shard)
                    .with(page.event())
                    .with(key)
                    .with(page.workflowIdBefore(key))
                    .with(page.idBefore(key))
                    .with(now)
                    .with(page.limit() - found.size())
                    .all(SubscriptionStatements::read));
        }
        return found;
    }

    private static Subscription read(ResultSet row) throws SQLException {
        return new Subscription(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getBytes(5),
                InstantColumns.orNull(row, 6));
    }
}
