/** An in-memory store that passes the contract of all stores. Internal: it may change in any release. */
@NullMarked
package dev.dormouse.testing.memory;

import org.jspecify.annotations.NullMarked;
