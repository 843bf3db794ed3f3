/** What {@code ./dormouse demo} tells: {@link dev.dormouse.examples.demo.Story} is the place to begin. */
@NullMarked
package dev.dormouse.examples.demo;

import org.jspecify.annotations.NullMarked;
