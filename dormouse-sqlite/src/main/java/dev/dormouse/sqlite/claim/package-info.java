/**
 * Leases: how nodes get runs, keep them and lose them.
 *
 * <ul>
 *   <li>{@code ClaimStatements} claims due runs, and runs whose lease has ended because their node died.
 *   <li>{@code QueueClaims} claims runs of a queue within its limits: {@code QueueRates} reads the rates in use,
 *       and {@code QueueTurn} of the store SPI decides.
 *   <li>{@code VoidLeases} ends all leases when the store is opened, because their owners are dead.
 *   <li>{@code RenewStatements} extends the leases of a node, and {@code ShortenLeaseStatements} shortens leases that end
 *       too late after the clock was set back.
 *   <li>{@code SweepStatements} registers the node as alive and reads the nearest alarms, and {@code WakeStuckStatements}
 *       makes stuck runs due.
 *   <li>{@code NodeRegistry} has the nodes of this process that have not left. It keeps them in memory.
 * </ul>
 */
@NullMarked
package dev.dormouse.sqlite.claim;

import org.jspecify.annotations.NullMarked;
