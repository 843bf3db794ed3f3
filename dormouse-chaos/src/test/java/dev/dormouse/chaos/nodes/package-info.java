/** Tests of several nodes and processes that work together without being killed. */
@NullMarked
package dev.dormouse.chaos.nodes;

import org.jspecify.annotations.NullMarked;
