@NullMarked
package dev.dormouse.history;

import org.jspecify.annotations.NullMarked;
