/** Access to the API: over HTTP, or in this process on a store. */
@NullMarked
package dev.dormouse.cli.api;

import org.jspecify.annotations.NullMarked;
