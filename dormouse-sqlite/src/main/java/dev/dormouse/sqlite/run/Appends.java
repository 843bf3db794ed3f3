package dev.dormouse.sqlite.run;

import dev.dormouse.sqlite.sql.Epoch;
import dev.dormouse.sqlite.sql.Tx;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.HistoryAppend;
import java.sql.SQLException;
import java.time.Instant;

/** The append of events to a history: one statement if the position is free, and a second one if it is not. */
public final class Appends {
    private Appends() {}

    public static CommitOutcome apply(Tx tx, HistoryAppend entry) throws SQLException {
        if (!entry.fitsEpoch(Epoch.ONLY)) {
            return new CommitOutcome.Fenced();
        } else if (HistoryStatements.append(tx, entry.runId(), entry.seq(), entry.append())) {
            return appended(tx.at());
        }
        return HistoryStatements.acceptedAt(tx, entry.runId(), entry.seq(), entry.append())
                .map(Appends::appended)
                .orElseGet(CommitOutcome.Fenced::new);
    }

    private static CommitOutcome appended(Instant at) {
        return new CommitOutcome.Committed(at, CommitOutcome.MAIL_NOT_READ);
    }
}
