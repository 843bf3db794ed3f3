/** A server that makes a store available to remote nodes, and merges their batches. */
@NullMarked
package dev.dormouse.remote.serve;

import org.jspecify.annotations.NullMarked;
