/** Published events, subscriptions, progress notes and queries between nodes. */
@NullMarked
package dev.dormouse.store.event;

import org.jspecify.annotations.NullMarked;
