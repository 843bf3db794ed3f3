/**
 * Fault-injection tests with real processes: tests kill, stop and disconnect workers, which are programs of their own.
 * Workers record their actions in a journal that survives them, and tests compare it with the store.
 */
@NullMarked
package dev.dormouse.chaos;

import org.jspecify.annotations.NullMarked;
