/** A grace period that can be moved from outside, without a line of code in the workflow. */
@NullMarked
package dev.dormouse.examples.subscription;

import org.jspecify.annotations.NullMarked;
