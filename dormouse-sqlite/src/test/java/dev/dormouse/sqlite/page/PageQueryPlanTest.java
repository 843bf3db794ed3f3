package dev.dormouse.sqlite.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.sqlite.QueryPlans;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The query plans of package {@code page}. */
class PageQueryPlanTest extends QueryPlans {
    static final List<String> STATEMENTS = List.of(
            CensusStatements.NEWEST,
            CensusStatements.LEASED,
            CensusStatements.TROUBLED,
            CensusStatements.ALARMED,
            DueStatements.NEXT_LANE,
            DueStatements.AHEAD,
            DueStatements.PROBE,
            DueStatements.ROUGH_PROBE,
            DueStatements.LAST,
            DueStatements.FIRST,
            ListStatements.NEWEST_FIRST,
            ListStatements.BY_WORKFLOW_ID,
            ListStatements.TROUBLED,
            TallyStatements.READ,
            TallyStatements.FORGET);

    @Test
    void listByWorkflowIdMergesTwoIndexes() throws SQLException {
        assertThat(plan(ListStatements.BY_WORKFLOW_ID))
                .contains("MERGE (UNION ALL)")
                .anyMatch(step -> step.contains("dormouse_run_current"))
                .anyMatch(step -> step.contains("dormouse_run_replaced"));
    }
}
