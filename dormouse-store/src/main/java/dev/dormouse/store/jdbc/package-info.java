/** Code that the JDBC stores share. Not part of the public API. */
@NullMarked
package dev.dormouse.store.jdbc;

import org.jspecify.annotations.NullMarked;
