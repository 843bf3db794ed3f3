@NullMarked
package dev.dormouse.replay;

import org.jspecify.annotations.NullMarked;
