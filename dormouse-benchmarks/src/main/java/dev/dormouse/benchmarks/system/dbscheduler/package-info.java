/** db-scheduler: persistent tasks. It has no steps: a one-step workflow is one execution of a task. */
@NullMarked
package dev.dormouse.benchmarks.system.dbscheduler;

import org.jspecify.annotations.NullMarked;
