/**
 * Calls of a service that allows each customer a few requests per second: a queue delays what is above the limit.
 * A customer with many requests waits, and does not delay the others.
 */
@NullMarked
package dev.dormouse.examples.ratelimit;

import org.jspecify.annotations.NullMarked;
