/** The commands that run until they are stopped: {@code dev}, {@code server} and {@code timers}. */
@NullMarked
package dev.dormouse.cli.serve;

import org.jspecify.annotations.NullMarked;
