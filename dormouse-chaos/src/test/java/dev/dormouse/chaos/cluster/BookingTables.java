package dev.dormouse.chaos.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.chaos.postgres.ChaosPostgres;
import dev.dormouse.chaos.workload.BookingWorkflow;
import java.util.List;

/** The tables of the {@link BookingWorkflow}, accessed without the engine. */
public final class BookingTables {
    private final StoreTables database;

    private BookingTables(StoreTables database) {
        this.database = database;
    }

    /** Creates the tables. Must be called before any worker starts. */
    public static BookingTables create(ChaosCluster cluster) {
        StoreTables database = cluster.database();
        cluster.createTables();
        database.execute(
                "create table ${prefix}ledger (workflow_id text not null, amount int not null)",
                "create table ${prefix}account (balance int not null)",
                "insert into ${prefix}account (balance) values (0)");
        if (cluster.isPostgres()) {
            database.execute(
                    "grant all on ${prefix}ledger to " + ChaosPostgres.ENGINE,
                    "grant all on ${prefix}account to " + ChaosPostgres.ENGINE);
        }
        return new BookingTables(database);
    }

    /**
     * Asserts that each booking run has one row, and that the balance is the sum of all rows. Returns the number of
     * runs.
     */
    public int assertEachBookedOnce() {
        List<String> runs = ids("select workflow_id from ${prefix}run where type = 'bank'");
        assertThat(ids("select workflow_id from ${prefix}ledger")).isEqualTo(runs);
        assertThat(balance()).isEqualTo(number("select sum(amount) from ${prefix}ledger"));
        return runs.size();
    }

    /** Deletes all rows. Returns their number. */
    public int clear() {
        return database.select("delete from ${prefix}ledger returning workflow_id", row -> row.getString(1))
                .size();
    }

    public long balance() {
        return number("select balance from ${prefix}account");
    }

    private List<String> ids(String sql) {
        return database.select(sql, row -> row.getString(1)).stream().sorted().toList();
    }

    private long number(String sql) {
        return database.select(sql, row -> row.getLong(1)).get(0);
    }
}
