/** A long activity and a timer: the first to end wins. */
@NullMarked
package dev.dormouse.examples.report;

import org.jspecify.annotations.NullMarked;
