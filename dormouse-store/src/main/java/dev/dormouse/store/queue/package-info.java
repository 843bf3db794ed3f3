/** Claims from queues. {@link dev.dormouse.store.queue.QueueTurn} decides by their limits and rates. */
@NullMarked
package dev.dormouse.store.queue;

import org.jspecify.annotations.NullMarked;
