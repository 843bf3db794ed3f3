/** The commands {@code dormouse workflow}. */
@NullMarked
package dev.dormouse.cli.workflow;

import org.jspecify.annotations.NullMarked;
