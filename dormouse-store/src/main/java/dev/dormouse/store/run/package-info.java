/**
 * Rows of runs, and the requests and outcomes of start, claim, commit, renewal and delivery. Start with {@link
 * dev.dormouse.store.run.RunRow}, {@link dev.dormouse.store.run.Commit} and {@link dev.dormouse.store.run.Fence}.
 */
@NullMarked
package dev.dormouse.store.run;

import org.jspecify.annotations.NullMarked;
