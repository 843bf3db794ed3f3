/** {@code dormouse dev} and {@code dormouse server}. */
@NullMarked
package dev.dormouse.cli.serve;

import org.jspecify.annotations.NullMarked;
