/** Claims from queues, with their limits and rates. */
@NullMarked
package dev.dormouse.store.queue;

import org.jspecify.annotations.NullMarked;
