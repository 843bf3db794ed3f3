/** A pipeline of steps, sleeps and waits as data. {@code docs/dags.md} explains it. */
@NullMarked
package dev.dormouse.examples.orders;

import org.jspecify.annotations.NullMarked;
