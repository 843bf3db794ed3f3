/** A real browser, for tests of this module and of others. */
@NullMarked
package dev.dormouse.server.chromium;

import org.jspecify.annotations.NullMarked;
