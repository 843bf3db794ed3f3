package dev.dormouse.sqlite.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.sqlite.QueryPlans;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The query plans of package {@code run}. */
class RunQueryPlanTest extends QueryPlans {
    static final List<String> STATEMENTS = List.of(
            Commits.STANDING,
            Commits.GO_ON,
            Commits.MOVE,
            Deliveries.KNOWN,
            Deliveries.COUNT,
            Deliveries.COUNT_AND_WAKE,
            HistoryStatements.OF_RUN,
            HistoryStatements.ACCEPTED,
            InboxStatements.AFTER,
            OutboxStatements.OLDEST,
            OutboxStatements.ANY,
            OutboxStatements.REMOVE,
            PurgeStatements.LOOK,
            PurgeStatements.DELETE_HISTORY,
            PurgeStatements.DELETE_INBOX,
            PurgeStatements.DELETE_SUBSCRIPTIONS,
            PurgeStatements.DELETE_NOTES,
            PurgeStatements.DELETE_RUN,
            RunStatements.BY_ID,
            RunStatements.CURRENT,
            Starts.RETIRE);

    @Test
    void pageOfAnInboxBeginsWhereTheLastOneEnded() throws SQLException {
        assertThat(plan(InboxStatements.AFTER))
                .containsExactly("SEARCH dormouse_inbox USING INDEX dormouse_inbox_position"
                        + " (shard=? AND workflow_id=? AND position>?)");
    }

    @Test
    void keyIsLookedUpAmongTheKeysOfItsInbox() throws SQLException {
        assertThat(plan(Deliveries.KNOWN))
                .containsExactly("SEARCH dormouse_inbox USING INDEX sqlite_autoindex_dormouse_inbox_1"
                        + " (shard=? AND workflow_id=? AND key=?)");
    }
}
