@NullMarked
package dev.dormouse.postgres;

import org.jspecify.annotations.NullMarked;
