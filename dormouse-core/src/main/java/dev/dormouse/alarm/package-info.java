@NullMarked
package dev.dormouse.alarm;

import org.jspecify.annotations.NullMarked;
