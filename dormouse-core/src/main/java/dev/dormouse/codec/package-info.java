/** Payloads: values as bytes, and the codec that makes them. */
@NullMarked
package dev.dormouse.codec;

import org.jspecify.annotations.NullMarked;
