/**
 * Runs, history and timers in one SQLite file. Users name it by URL, {@code sqlite:FILE} or {@code sqlite::memory:}.
 *
 * <p>{@link dev.dormouse.sqlite.SqliteStoreProvider} opens a store. All changes go through the one {@code
 * WriteConnection}, all other statements through the {@code ReaderPool}. Packages, each of which depends only on those
 * above it; they have the same names as those of the PostgreSQL module, and so have the classes for the same operation:
 *
 * <ul>
 *   <li>{@code sql}: the schema, sessions, result rows and result codes
 *   <li>{@code connect}: the file, its owner, the connection that writes and the readers
 *   <li>{@code run}: start, commit, deliver, read and purge runs
 *   <li>{@code claim}: claims, queues, renewals, sweeps
 *   <li>{@code event}: subscriptions, past events, questions, notes, definitions
 *   <li>{@code page}: read-only queries for dashboards and metrics
 * </ul>
 */
@NullMarked
package dev.dormouse.sqlite;

import org.jspecify.annotations.NullMarked;
