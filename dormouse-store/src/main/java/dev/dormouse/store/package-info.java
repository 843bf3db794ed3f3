/**
 * The service provider interface for stores. {@link dev.dormouse.store.Store} has the operations that the engine needs, and
 * {@link dev.dormouse.store.StoreProvider} opens a store. The requests and results of these operations are
 * records in the packages {@code run}, {@code queue}, {@code page}, {@code event} and {@code timer}.
 *
 * <p>Classes that say "for stores" are shared parts of implementations: {@link dev.dormouse.store.queue.QueueTurn},
 * {@link dev.dormouse.store.queue.Pace}, {@link dev.dormouse.store.page.DueEstimate} and {@link
 * dev.dormouse.store.page.QueueDepths}.
 */
@NullMarked
package dev.dormouse.store;

import org.jspecify.annotations.NullMarked;
