/** Changing a workflow while its runs are open. */
@NullMarked
package dev.dormouse.examples.parcel;

import org.jspecify.annotations.NullMarked;
