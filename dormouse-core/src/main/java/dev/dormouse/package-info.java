@NullMarked
package dev.dormouse;

import org.jspecify.annotations.NullMarked;
