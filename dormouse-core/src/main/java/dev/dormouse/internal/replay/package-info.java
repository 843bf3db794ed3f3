/** Deterministic execution of workflow code against its history. Internal: may change at any time. */
@NullMarked
package dev.dormouse.internal.replay;

import org.jspecify.annotations.NullMarked;
