/** What is printed: tables, bars, times and colours. */
@NullMarked
package dev.dormouse.cli.term;

import org.jspecify.annotations.NullMarked;
