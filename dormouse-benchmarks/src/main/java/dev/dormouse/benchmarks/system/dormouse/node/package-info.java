/** Nodes of Dormouse in processes of their own, and the line of text by which they are asked. */
@NullMarked
package dev.dormouse.benchmarks.system.dormouse.node;

import org.jspecify.annotations.NullMarked;
