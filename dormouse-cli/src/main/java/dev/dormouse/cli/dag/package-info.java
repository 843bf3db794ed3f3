/** The commands {@code dormouse dag}. */
@NullMarked
package dev.dormouse.cli.dag;

import org.jspecify.annotations.NullMarked;
