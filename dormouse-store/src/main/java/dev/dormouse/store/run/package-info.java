/** Rows of runs, and the operations that start, claim, commit, renew and deliver. */
@NullMarked
package dev.dormouse.store.run;

import org.jspecify.annotations.NullMarked;
