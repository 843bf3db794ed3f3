/** Leases: claims of due runs and of queues, renewals, sweeps, and the nodes that hold leases. */
@NullMarked
package dev.dormouse.postgres.claim;

import org.jspecify.annotations.NullMarked;
