/** Worker processes: the main class, its commands, and the handle by which tests control a worker. */
@NullMarked
package dev.dormouse.chaos.process;

import org.jspecify.annotations.NullMarked;
