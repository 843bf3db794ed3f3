/** Workflows, activities and DAGs that workers execute, and the journal in which they record their actions. */
@NullMarked
package dev.dormouse.chaos.workload;

import org.jspecify.annotations.NullMarked;
