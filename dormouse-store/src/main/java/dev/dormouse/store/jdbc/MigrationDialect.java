package dev.dormouse.store.jdbc;

import java.util.Map;

/**
 * The database-specific SQL that {@link Migrations} needs.
 *
 * @param versionTable the name of the table that lists the applied migrations, qualified if necessary
 * @param versionTableExists a query whose single value is 1 if that table exists, and 0 if it does not
 * @param createVersionTable the statement that creates it. The migrations write the columns {@code version} (integer,
 *     primary key) and {@code name}; all other columns need a default
 * @param lock the first statement of a migrating transaction; it lets one process at a time continue, until that
 *     process commits
 * @param placeholders the replacements for <code>${name}</code> in the migrations' SQL
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
