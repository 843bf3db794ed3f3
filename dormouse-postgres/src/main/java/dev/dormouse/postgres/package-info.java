/**
 * Runs, history and timers in PostgreSQL. Users name a database by its JDBC URL, or hand over a DataSource.
 *
 * <p>{@link dev.dormouse.postgres.PostgresStoreProvider} opens a store. Packages, each of which depends only on those above it:
 *
 * <ul>
 *   <li>{@code sql}: the schema, parameters, result rows and SQLSTATEs
 *   <li>{@code notify}: LISTEN and NOTIFY
 *   <li>{@code connect}: pools, session settings, users' transactions
 *   <li>{@code run}: start, commit, deliver, read and purge runs
 *   <li>{@code claim}: claims, queues, renewals, sweeps
 *   <li>{@code event}: subscriptions, past events, questions, notes, definitions
 *   <li>{@code page}: read-only queries for dashboards and metrics
 *   <li>{@code sqltimers}: timers that are scheduled by SQL, and the node that fires them
 * </ul>
 */
@NullMarked
package dev.dormouse.postgres;

import org.jspecify.annotations.NullMarked;
