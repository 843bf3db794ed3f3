/**
 * The lower parts of a node, which all others share: store, threads, clock, ids, settings, writers and telemetry in one
 * {@link dev.dormouse.internal.engine.context.NodeContext}. Internal: may change at any time.
 */
@NullMarked
package dev.dormouse.internal.engine.context;

import org.jspecify.annotations.NullMarked;
