/** Tests of approval steps and their tokens. */
@NullMarked
package dev.dormouse.dag.approval;

import org.jspecify.annotations.NullMarked;
