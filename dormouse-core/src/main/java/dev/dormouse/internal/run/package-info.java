/** The contract between the engine and the code of a run. Internal: may change at any time. */
@NullMarked
package dev.dormouse.internal.run;

import org.jspecify.annotations.NullMarked;
