/** A trip that is booked as a whole or not at all. */
@NullMarked
package dev.dormouse.examples.travel;

import org.jspecify.annotations.NullMarked;
