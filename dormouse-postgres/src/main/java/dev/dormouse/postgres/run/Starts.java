package dev.dormouse.postgres.run;

import dev.dormouse.postgres.connect.Pools;
import dev.dormouse.postgres.sql.Epoch;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.postgres.sql.SqlErrors;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The start protocol: one statement inserts all runs whose workflow ids are free. For the others a second statement
 * reads the existing run, and if that is a closed run which may be replaced, a third statement replaces it.
 */
public final class Starts {
    private static final Batch.Verdicts<StartOutcome> VERDICTS =
            new Batch.Verdicts<>(new StartOutcome.Locked(), StartOutcome.Rejected::new, StartOutcome.Unknown::new);

    private final Pools pools;
    private final StartStatement insert;
    private final SingleStart single;
    private final StartExplanation explanation;
    private final ReplaceStatement replace;

    public Starts(Pools pools, Schema schema, Epoch epoch) {
        this.pools = pools;
        this.insert = new StartStatement(schema, epoch);
        this.single = new SingleStart(schema);
        this.explanation = new StartExplanation(schema, epoch);
        this.replace = new ReplaceStatement(schema, epoch);
    }

    public List<StartOutcome> send(int shard, List<Start> batch) {
        return new Batch<Start, StartOutcome>(entries -> insert(shard, entries), VERDICTS).send(batch);
    }

    private List<StartOutcome> insert(int shard, List<Start> entries) throws SQLException {
        Outcomes<Start, StartOutcome> outcomes = new Outcomes<>(entries);
        try (Connection connection = pools.start().getConnection()) {
            if (entries.size() == 1 && SingleStart.suits(entries.get(0))) {
                single.run(connection, shard, entries.get(0), outcomes);
            } else {
                insert.run(connection, shard, entries, outcomes);
            }
        }
        if (!outcomes.isComplete()) {
            replaceOrExplain(shard, outcomes);
        }
        return outcomes.all();
    }

    private void replaceOrExplain(int shard, Outcomes<Start, StartOutcome> outcomes) {
        List<Integer> replaceable = new ArrayList<>();
        explain(shard, outcomes, replaceable);
        List<Start> entries = replaceable.stream().map(outcomes::entry).toList();
        List<StartOutcome> replaced =
                new Batch<Start, StartOutcome>(pieces -> replace(shard, pieces), VERDICTS).send(entries);
        for (int i = 0; i < replaced.size(); i++) {
            outcomes.put(replaceable.get(i), replaced.get(i));
        }
    }

    private List<StartOutcome> replace(int shard, List<Start> entries) throws SQLException {
        Outcomes<Start, StartOutcome> outcomes = new Outcomes<>(entries);
        try (Connection connection = pools.work().getConnection()) {
            replace.run(connection, shard, entries, outcomes);
        }
        if (!outcomes.isComplete()) {
            List<Integer> stillThere = new ArrayList<>();
            explain(shard, outcomes, stillThere);
            stillThere.forEach(place -> outcomes.put(place, VERDICTS.locked()));
        }
        return outcomes.all();
    }

    /** Puts an outcome for all starts that have none, except those that may replace the existing run. */
    private void explain(int shard, Outcomes<Start, StartOutcome> outcomes, List<Integer> replaceable) {
        List<Integer> open = outcomes.open();
        try (Connection connection = pools.work().getConnection()) {
            List<Start> entries = open.stream().map(outcomes::entry).toList();
            StartExplanation.Found found = explanation.run(connection, shard, entries);
            for (int i = 0; i < entries.size(); i++) {
                RunRow inTheWay = found.inTheWay().get(i);
                if (found.fenced().contains(i)) {
                    outcomes.put(open.get(i), new StartOutcome.Fenced());
                } else if (mayReplace(entries.get(i), inTheWay)) {
                    replaceable.add(open.get(i));
                } else {
                    outcomes.put(open.get(i), explained(inTheWay));
                }
            }
        } catch (SQLException e) {
            outcomes.complete(start -> VERDICTS.unknown().apply(SqlErrors.unavailable(e)));
        }
    }

    private static boolean mayReplace(Start start, @Nullable RunRow inTheWay) {
        return inTheWay != null
                && inTheWay.status().isClosed()
                && start.replaces().contains(inTheWay.status())
                && !inTheWay.runId().equals(start.runId());
    }

    /** Returns the outcome for the existing run. If it is gone by now, it was purged in the meantime. */
    private static StartOutcome explained(@Nullable RunRow inTheWay) {
        return inTheWay == null ? VERDICTS.locked() : new StartOutcome.Exists(inTheWay);
    }
}
