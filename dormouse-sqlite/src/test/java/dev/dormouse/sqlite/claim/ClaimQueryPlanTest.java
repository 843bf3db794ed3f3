package dev.dormouse.sqlite.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.sqlite.QueryPlans;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The query plans of package {@code claim}. */
class ClaimQueryPlanTest extends QueryPlans {
    static final List<String> STATEMENTS = List.of(
            ClaimStatements.DUE,
            ClaimStatements.TAKE,
            WakeStuckStatements.WAKE,
            QueueClaims.DUE,
            QueueClaims.COUNT_LEASES,
            QueueClaims.ENDED,
            QueueClaims.MOVE,
            QueueClaims.VOID,
            QueueRates.OF_QUEUE,
            QueueRates.OF_KEY,
            QueueRates.OLD,
            QueueRates.FORGET,
            RenewStatements.RENEW,
            SweepStatements.AHEAD,
            SweepStatements.OVERDUE);

    @Test
    void claimReadsTheDuePartOfOneLane() throws SQLException {
        assertThat(plan(ClaimStatements.DUE))
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
        assertThat(plan(SweepStatements.AHEAD))
                .containsExactly("SEARCH dormouse_run USING COVERING INDEX dormouse_run_alarm"
                        + " (shard=? AND lane=? AND wake_at>?)");
    }

    @Test
    void openingLooksAtTheRunsThatWereHeldAndAtNoOther() throws SQLException {
        assertThat(plan(VoidLeases.VOID)).containsExactly("SCAN dormouse_run USING INDEX dormouse_run_leased");
    }
}
