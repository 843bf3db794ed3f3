/** Connections: the database file and its owner, the one connection that writes, and the pool of readers. */
@NullMarked
package dev.dormouse.sqlite.connect;

import org.jspecify.annotations.NullMarked;
