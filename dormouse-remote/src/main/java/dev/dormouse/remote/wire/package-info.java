/** Conversion between the records of the store SPI and the messages of the protocol, one class for each file of it. */
@NullMarked
package dev.dormouse.remote.wire;

import org.jspecify.annotations.NullMarked;
