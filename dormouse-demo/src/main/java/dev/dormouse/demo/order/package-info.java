/** The workflow that the demo shows, its simulated shop, and the stored state of orders. */
@NullMarked
package dev.dormouse.demo.order;

import org.jspecify.annotations.NullMarked;
