/**
 * A subscription that charges a customer every month for years: prices change by an update, the history stays short by
 * continue-as-new, and the idempotency key makes sure that no month is charged twice.
 */
@NullMarked
package dev.dormouse.examples.billing;

import org.jspecify.annotations.NullMarked;
