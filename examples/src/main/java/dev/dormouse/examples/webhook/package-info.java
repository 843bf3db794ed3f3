/**
 * Webhooks that are delivered at least once: failures are retried for hours, a receiver may ask for a pause, and a
 * request that the receiver refuses is not repeated. Every attempt has the same key, so a receiver can drop duplicates.
 */
@NullMarked
package dev.dormouse.examples.webhook;

import org.jspecify.annotations.NullMarked;
