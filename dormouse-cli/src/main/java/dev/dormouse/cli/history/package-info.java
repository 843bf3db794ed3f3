/** The commands {@code dormouse history}. */
@NullMarked
package dev.dormouse.cli.history;

import org.jspecify.annotations.NullMarked;
