/** Extensions of a node: modules of Dormouse, and modules of workflows for its tools. */
@NullMarked
package dev.dormouse.plugin;

import org.jspecify.annotations.NullMarked;
