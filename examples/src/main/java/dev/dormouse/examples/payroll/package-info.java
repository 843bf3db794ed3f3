/**
 * A nightly batch of 10,000 items: a page of items at a time, 50 of them in parallel, and a new run for each page.
 * An item that fails for good is reported at the end and does not stop the others.
 */
@NullMarked
package dev.dormouse.examples.payroll;

import org.jspecify.annotations.NullMarked;
