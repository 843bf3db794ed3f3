/** The code side of a workflow: what its methods call, and how registered code becomes runs. */
@NullMarked
package dev.dormouse.internal.workflow;

import org.jspecify.annotations.NullMarked;
