package dev.dormouse.sqlite.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.sqlite.QueryPlans;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The query plans of package {@code event}. */
class EventQueryPlanTest extends QueryPlans {
    static final List<String> STATEMENTS = List.of(
            DefinitionStatements.ONE,
            DefinitionStatements.HIGHEST,
            DefinitionStatements.SINCE,
            NoteStatements.KEEP,
            NoteStatements.OF_RUN,
            NoteStatements.ERASE,
            PastEventStatements.LATEST,
            PastEventStatements.FORGET,
            QuestionStatements.OPEN,
            QuestionStatements.ANSWER,
            QuestionStatements.READ,
            QuestionStatements.FORGET,
            QuestionStatements.FORGET_OLD,
            SubscriptionStatements.TAKE_BACK,
            SubscriptionStatements.OF_KEY,
            SubscriptionStatements.FORGET);

    @Test
    void openQuestionsOfALaneAreReadInTheirOrder() throws SQLException {
        assertThat(plan(QuestionStatements.OPEN))
                .containsExactly("SEARCH dormouse_question USING INDEX dormouse_question_open (shard=? AND lane=?)");
    }

    @Test
    void pageOfSubscriptionsBeginsWhereTheLastOneEnded() throws SQLException {
        assertThat(plan(SubscriptionStatements.OF_KEY))
                .containsExactly("SEARCH dormouse_subscription USING INDEX dormouse_subscription_event"
                        + " (shard=? AND event=? AND key=? AND (workflow_id,id)>(?,?))");
    }

    @Test
    void expiredSubscriptionsAndEventsAreFoundByIndex() throws SQLException {
        assertThat(plan(SubscriptionStatements.FORGET))
                .anyMatch(step -> step.contains("INDEX dormouse_subscription_until (shard=? AND until<?)"));
        assertThat(plan(PastEventStatements.FORGET))
                .anyMatch(step -> step.contains("INDEX dormouse_past_event_until (shard=? AND until<?)"));
    }

    @Test
    void latestEventsAreReadInTheirOrder() throws SQLException {
        assertThat(plan(PastEventStatements.LATEST))
                .containsExactly("SEARCH dormouse_past_event USING INDEX dormouse_past_event_at"
                        + " (shard=? AND event=? AND at>?)");
    }
}
