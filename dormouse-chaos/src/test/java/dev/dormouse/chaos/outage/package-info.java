/** Tests of stopped processes, lost connections, locked rows and unavailable databases. */
@NullMarked
package dev.dormouse.chaos.outage;

import org.jspecify.annotations.NullMarked;
