package dev.dormouse.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** The tables of the {@link Bank}, past the engine. */
final class Ledger {
    private final Database database;

    private Ledger(Database database) {
        this.database = database;
    }

    /** Creates the tables, before there is a worker. */
    static Ledger create(Scene scene) {
        Database database = scene.database();
        scene.createTables();
        database.execute(
                "create table ${prefix}ledger (workflow_id text not null, amount int not null)",
                "create table ${prefix}account (balance int not null)",
                "insert into ${prefix}account (balance) values (0)");
        if (scene.isPostgres()) {
            database.execute(
                    "grant all on ${prefix}ledger to " + ChaosPostgres.ENGINE,
                    "grant all on ${prefix}account to " + ChaosPostgres.ENGINE);
        }
        return new Ledger(database);
    }

    /** Each run of a bank has one row, and the balance is the sum of all; returns how many there are. */
    int assertEachBookedOnce() {
        List<String> runs = ids("select workflow_id from ${prefix}run where type = 'bank'");
        assertThat(ids("select workflow_id from ${prefix}ledger")).isEqualTo(runs);
        assertThat(balance()).isEqualTo(number("select sum(amount) from ${prefix}ledger"));
        return runs.size();
    }

    /** Deletes all rows; returns how many there were. */
    int clear() {
        return database.select("delete from ${prefix}ledger returning workflow_id", row -> row.getString(1))
                .size();
    }

    long balance() {
        return number("select balance from ${prefix}account");
    }

    private List<String> ids(String sql) {
        return database.select(sql, row -> row.getString(1)).stream().sorted().toList();
    }

    private long number(String sql) {
        return database.select(sql, row -> row.getLong(1)).get(0);
    }
}
