/**
 * The service provider interface for stores. {@link dev.dormouse.store.Store} has the operations that the engine needs, and
 * {@link dev.dormouse.store.StoreProvider} opens a store. The records are the requests and results of these operations.
 *
 * <p>Classes that say "for stores" are shared parts of implementations: {@link dev.dormouse.store.QueueTurn},
 * {@link dev.dormouse.store.Pace}, {@link dev.dormouse.store.DueEstimate} and {@link dev.dormouse.store.QueueDepths}.
 */
@NullMarked
package dev.dormouse.store;

import org.jspecify.annotations.NullMarked;
