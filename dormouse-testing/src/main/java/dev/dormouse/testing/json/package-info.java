/** Histories as JSON that people can read. Internal: what may be relied on is the format of the files. */
@NullMarked
package dev.dormouse.testing.json;

import org.jspecify.annotations.NullMarked;
