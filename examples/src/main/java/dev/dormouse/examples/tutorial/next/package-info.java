/** The workflow of the tutorial after its change. */
@NullMarked
package dev.dormouse.examples.tutorial.next;

import org.jspecify.annotations.NullMarked;
