@NullMarked
package dev.dormouse.store;

import org.jspecify.annotations.NullMarked;
