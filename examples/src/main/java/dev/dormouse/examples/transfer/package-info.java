/**
 * Money that moves exactly once: the debit, the credit and the completion of the step are one transaction.
 * A failure in the middle rolls everything back, and a repeated request returns the result of the first.
 */
@NullMarked
package dev.dormouse.examples.transfer;

import org.jspecify.annotations.NullMarked;
