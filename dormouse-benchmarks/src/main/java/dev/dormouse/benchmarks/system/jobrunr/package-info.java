/** JobRunr: background jobs. It has no steps: a one-step workflow is one job. */
@NullMarked
package dev.dormouse.benchmarks.system.jobrunr;

import org.jspecify.annotations.NullMarked;
