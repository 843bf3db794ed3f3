/**
 * The service provider interface for stores. {@link dev.dormouse.store.Store} has the operations that the engine needs, and
 * {@link dev.dormouse.store.StoreProvider} opens a store. The records are the requests and results of these operations.
 *
 * <p>Classes that say "for stores" are shared parts of implementations: {@link dev.dormouse.store.queue.QueueTurn},
 * {@link dev.dormouse.store.queue.Pace}, {@link dev.dormouse.store.page.DueEstimate} and {@link dev.dormouse.store.page.QueueDepths}.
 */
@NullMarked
package dev.dormouse.store;

import org.jspecify.annotations.NullMarked;
