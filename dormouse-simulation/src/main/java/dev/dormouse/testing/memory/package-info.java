/** An in-memory store that passes the store contract tests. Internal: it may change in any release. */
@NullMarked
package dev.dormouse.testing.memory;

import org.jspecify.annotations.NullMarked;
