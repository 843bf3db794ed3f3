/** Changing a workflow while runs of it are under way. */
@NullMarked
package dev.dormouse.examples.parcel;

import org.jspecify.annotations.NullMarked;
