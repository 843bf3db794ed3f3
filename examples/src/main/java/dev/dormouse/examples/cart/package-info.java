/**
 * A shopping cart that answers: each change is an update with a validator, and a lock keeps changes apart that wait for a
 * price. A request that the client repeats under the same id counts once, and a forgotten cart expires.
 */
@NullMarked
package dev.dormouse.examples.cart;

import org.jspecify.annotations.NullMarked;
