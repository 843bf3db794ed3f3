@NullMarked
package dev.dormouse.engine;

import org.jspecify.annotations.NullMarked;
