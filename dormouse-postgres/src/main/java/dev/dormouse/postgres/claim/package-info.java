/**
 * Leases: how nodes get runs, keep them and lose them.
 *
 * <ul>
 *   <li>{@code ClaimStatements} claims due runs, and runs whose lease has ended because their node died.
 *   <li>{@code QueueClaims} claims runs of a queue within its limits, under the queue's row lock ({@code QueueLock}):
 *       {@code QueueDue} and {@code QueueFloors} find candidates, {@code QueueLeases} and {@code QueueRates} read what is in
 *       use, {@code QueueTurn} of the store SPI decides, {@code QueueUpdate} applies the decision.
 *   <li>{@code RenewStatements} extends the leases of a node, and {@code ShortenLeaseStatements} shortens leases that end
 *       too late after the clock was set back.
 *   <li>{@code SweepStatements} registers the node as alive and reads the nearest alarms, and {@code WakeStuckStatements}
 *       makes stuck runs due.
 *   <li>{@code NodeRegistry} has the rows of all nodes that have not left, including nodes that died.
 * </ul>
 */
@NullMarked
package dev.dormouse.postgres.claim;

import org.jspecify.annotations.NullMarked;
