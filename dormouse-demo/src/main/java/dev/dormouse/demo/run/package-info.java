/** The parent process: its worker and database processes, and the actions on workers and orders. */
@NullMarked
package dev.dormouse.demo.run;

import org.jspecify.annotations.NullMarked;
