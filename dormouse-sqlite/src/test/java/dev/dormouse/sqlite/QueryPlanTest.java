package dev.dormouse.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.Store;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Every statement finds its rows by an index, in the order it needs: no scan of a table, nothing to sort. */
class QueryPlanTest {
    static final List<String> STATEMENTS = List.of(
            Censuses.NEWEST,
            Censuses.LEASED,
            Censuses.TROUBLED,
            Censuses.ALARMED,
            Claims.DUE,
            Claims.TAKE,
            Commits.STANDING,
            Commits.GO_ON,
            Commits.MOVE,
            Definitions.ONE,
            Definitions.HIGHEST,
            Definitions.SINCE,
            Deliveries.KNOWN,
            Deliveries.COUNT,
            Deliveries.COUNT_AND_WAKE,
            DueLists.NEXT_LANE,
            DueLists.AHEAD,
            DueLists.PROBE,
            DueLists.ROUGH_PROBE,
            DueLists.LAST,
            DueLists.FIRST,
            Histories.OF_RUN,
            Histories.ACCEPTED,
            Knocks.WAKE,
            Lists.NEWEST_FIRST,
            Lists.BY_WORKFLOW_ID,
            Lists.TROUBLED,
            Mails.AFTER,
            Notes.KEEP,
            Notes.OF_RUN,
            Notes.ERASE,
            Outbox.OLDEST,
            Outbox.ANY,
            Outbox.REMOVE,
            PastEvents.LATEST,
            PastEvents.FORGET,
            Purges.LOOK,
            Purges.DELETE_HISTORY,
            Purges.DELETE_INBOX,
            Purges.DELETE_SUBSCRIPTIONS,
            Purges.DELETE_NOTES,
            Purges.DELETE_RUN,
            QueueClaims.DUE,
            QueueClaims.COUNT_LEASES,
            QueueClaims.ENDED,
            QueueClaims.MOVE,
            QueueClaims.VOID,
            Questions.OPEN,
            Questions.ANSWER,
            Questions.READ,
            Questions.FORGET,
            Questions.FORGET_OLD,
            Rates.OF_QUEUE,
            Rates.OF_KEY,
            Rates.OLD,
            Rates.FORGET,
            Renewals.RENEW,
            Runs.BY_ID,
            Runs.CURRENT,
            Starts.RETIRE,
            Subscriptions.TAKE_BACK,
            Subscriptions.OF_KEY,
            Subscriptions.FORGET,
            Sweeps.AHEAD,
            Sweeps.OVERDUE,
            Tallies.READ,
            Tallies.FORGET);

    @TempDir
    Path directory;

    private Store store;
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        Path file = directory.resolve("trial.db");
        store = Stores.open(file);
        connection = Stores.connect(file);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        store.close();
    }

    private List<String> plan(String sql) throws SQLException {
        return new Session(connection).call("explain query plan " + sql).all(row -> row.getString("detail"));
    }

    @ParameterizedTest
    @FieldSource("STATEMENTS")
    void statementSearchesAndNeitherScansNorSorts(String sql) throws SQLException {
        assertThat(plan(sql))
                .isNotEmpty()
                .noneMatch(step -> step.contains("TEMP B-TREE"))
                .noneMatch(step -> step.contains("SCAN") && !step.contains("CONSTANT ROW"))
                .anyMatch(step -> step.contains("SEARCH"));
    }

    @Test
    void claimReadsTheDuePartOfOneLane() throws SQLException {
        assertThat(plan(Claims.DUE))
                .containsExactly("SEARCH dormouse_run USING INDEX dormouse_run_alarm"
                        + " (shard=? AND lane=? AND wake_at>? AND wake_at<?)");
    }

    @Test
    void claimOfAQueueReadsTheDuePartOfOneLaneAndPriority() throws SQLException {
        assertThat(plan(QueueClaims.DUE))
                .containsExactly("SEARCH dormouse_run USING INDEX dormouse_run_queued"
                        + " (shard=? AND lane=? AND priority=? AND <expr>=? AND wake_at<?)");
    }

    @Test
    void leasesOfAQueueAreReadFromTheirIndex() throws SQLException {
        assertThat(plan(QueueClaims.COUNT_LEASES))
                .anyMatch(step -> step.startsWith("SEARCH dormouse_run USING INDEX dormouse_run_queue_lease"
                        + " (shard=? AND queue=? AND wake_at>?)"));
    }

    @Test
    void sweepReadsTheIndexAlone() throws SQLException {
        assertThat(plan(Sweeps.AHEAD))
                .containsExactly("SEARCH dormouse_run USING COVERING INDEX dormouse_run_alarm"
                        + " (shard=? AND lane=? AND wake_at>?)");
    }

    @Test
    void pageOfAnInboxBeginsWhereTheLastOneEnded() throws SQLException {
        assertThat(plan(Mails.AFTER))
                .containsExactly("SEARCH dormouse_inbox USING INDEX dormouse_inbox_position"
                        + " (shard=? AND workflow_id=? AND position>?)");
    }

    @Test
    void keyIsLookedUpAmongTheKeysOfItsInbox() throws SQLException {
        assertThat(plan(Deliveries.KNOWN))
                .containsExactly("SEARCH dormouse_inbox USING INDEX sqlite_autoindex_dormouse_inbox_1"
                        + " (shard=? AND workflow_id=? AND key=?)");
    }

    @Test
    void openQuestionsOfALaneAreReadInTheirOrder() throws SQLException {
        assertThat(plan(Questions.OPEN))
                .containsExactly("SEARCH dormouse_question USING INDEX dormouse_question_open (shard=? AND lane=?)");
    }

    @Test
    void pageOfSubscriptionsBeginsWhereTheLastOneEnded() throws SQLException {
        assertThat(plan(Subscriptions.OF_KEY))
                .containsExactly("SEARCH dormouse_subscription USING INDEX dormouse_subscription_event"
                        + " (shard=? AND event=? AND key=? AND (workflow_id,id)>(?,?))");
    }

    @Test
    void subscriptionsAndEventsWhoseTimeHasPassedAreFoundByIt() throws SQLException {
        assertThat(plan(Subscriptions.FORGET))
                .anyMatch(step -> step.contains("INDEX dormouse_subscription_until (shard=? AND until<?)"));
        assertThat(plan(PastEvents.FORGET))
                .anyMatch(step -> step.contains("INDEX dormouse_past_event_until (shard=? AND until<?)"));
    }

    @Test
    void latestEventsAreReadInTheirOrder() throws SQLException {
        assertThat(plan(PastEvents.LATEST))
                .containsExactly("SEARCH dormouse_past_event USING INDEX dormouse_past_event_at"
                        + " (shard=? AND event=? AND at>?)");
    }

    @Test
    void listByWorkflowIdMergesTwoIndexes() throws SQLException {
        assertThat(plan(Lists.BY_WORKFLOW_ID))
                .contains("MERGE (UNION ALL)")
                .anyMatch(step -> step.contains("dormouse_run_current"))
                .anyMatch(step -> step.contains("dormouse_run_replaced"));
    }

    @Test
    void openingLooksAtTheRunsThatWereHeldAndAtNoOther() throws SQLException {
        assertThat(plan(VoidLeases.VOID)).containsExactly("SCAN dormouse_run USING INDEX dormouse_run_leased");
    }
}
