/** The worker process, and the pipe protocol between it and its parent. */
@NullMarked
package dev.dormouse.demo.worker;

import org.jspecify.annotations.NullMarked;
