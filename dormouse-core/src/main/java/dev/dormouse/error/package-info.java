@NullMarked
package dev.dormouse.error;

import org.jspecify.annotations.NullMarked;
