/** Tests of standalone timers, updatable timers and debounced timers. */
package dev.dormouse.timer;
