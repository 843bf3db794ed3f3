/** Bids as updates, and an end that they move, up to a limit. */
@NullMarked
package dev.dormouse.examples.auction;

import org.jspecify.annotations.NullMarked;
