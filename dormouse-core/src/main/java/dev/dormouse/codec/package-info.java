/** Payloads, which are encoded values, and the codec that creates them. */
@NullMarked
package dev.dormouse.codec;

import org.jspecify.annotations.NullMarked;
