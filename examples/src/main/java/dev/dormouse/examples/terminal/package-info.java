/** How the examples that wait for people are run and spoken to. */
@NullMarked
package dev.dormouse.examples.terminal;

import org.jspecify.annotations.NullMarked;
