/** The events of a run's history, the messages between runs, and their binary formats. Not part of the public API. */
@NullMarked
package dev.dormouse.history;

import org.jspecify.annotations.NullMarked;
