/** A long activity and a timer, whichever is over first. */
@NullMarked
package dev.dormouse.examples.report;

import org.jspecify.annotations.NullMarked;
