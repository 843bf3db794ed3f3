/**
 * Threads, gates and waiting, which the simulation replaces, and the skeleton of a loop. Internal: may change at any
 * time.
 */
@NullMarked
package dev.dormouse.internal.thread;

import org.jspecify.annotations.NullMarked;
