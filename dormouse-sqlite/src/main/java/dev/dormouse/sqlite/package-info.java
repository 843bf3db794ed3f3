/**
 * Runs, history and timers in one SQLite file. Users name it by URL, {@code sqlite:FILE} or {@code sqlite::memory:},
 * and see nothing else of it.
 *
 * <p>{@link dev.dormouse.sqlite.SqliteStoreProvider} opens a store. One class for each operation holds its SQL:
 * {@code Starts}, {@code Claims}, {@code Commits}, {@code Deliveries}, {@code Renewals}, {@code Sweeps}, {@code
 * Knocks}, {@code Purges}. All changes go through the one {@code Writer}, all else through {@code Readers}. A user's
 * statements that take effect with a commit ({@code SqliteTransaction}) have a connection of their own, with SQLite's
 * default settings.
 */
@NullMarked
package dev.dormouse.sqlite;

import org.jspecify.annotations.NullMarked;
