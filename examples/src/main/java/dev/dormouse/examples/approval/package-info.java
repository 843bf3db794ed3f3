/** Waiting for a person until a deadline: a fixed one, and one that can be moved. */
@NullMarked
package dev.dormouse.examples.approval;

import org.jspecify.annotations.NullMarked;
