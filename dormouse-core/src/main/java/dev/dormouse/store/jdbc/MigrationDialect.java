package dev.dormouse.store.jdbc;

import java.util.Map;

/**
 * What a database must say in its own words so that {@link Migrations} can be applied to it.
 *
 * @param versionTable name of the table that says which migrations were applied, qualified where that is needed
 * @param versionTableExists a query whose one value is 1 when that table is there, and 0 when it is not
 * @param createVersionTable creates it; columns {@code version} (integer, primary key) and {@code name} are written by
 *     the migrations, all others need a default
 * @param lock the first statement of a migrating transaction; lets one process at a time through, until its commit
 * @param placeholders what takes the place of <code>${name}</code> in the migrations' SQL
 */
public record MigrationDialect(
        String versionTable,
        String versionTableExists,
        String createVersionTable,
        String lock,
        Map<String, String> placeholders) {

    String fill(String sql) {
        String filled = sql;
        for (Map.Entry<String, String> each : placeholders.entrySet()) {
            filled = filled.replace("${" + each.getKey() + "}", each.getValue());
        }
        return filled;
    }
}
