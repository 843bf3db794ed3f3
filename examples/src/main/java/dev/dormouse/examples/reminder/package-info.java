/** A workflow as a function, without an interface. */
@NullMarked
package dev.dormouse.examples.reminder;

import org.jspecify.annotations.NullMarked;
