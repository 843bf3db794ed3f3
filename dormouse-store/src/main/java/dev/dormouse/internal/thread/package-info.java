/** Threads, gates and waiting, which the simulation replaces. Internal: may change at any time. */
@NullMarked
package dev.dormouse.internal.thread;

import org.jspecify.annotations.NullMarked;
