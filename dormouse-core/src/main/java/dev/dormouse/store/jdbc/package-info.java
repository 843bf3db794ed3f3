/** What the stores on JDBC share. Not for users. */
@NullMarked
package dev.dormouse.store.jdbc;

import org.jspecify.annotations.NullMarked;
