/** The presentation: messages on a console; a screen and keys at a terminal. */
@NullMarked
package dev.dormouse.demo.screen;

import org.jspecify.annotations.NullMarked;
