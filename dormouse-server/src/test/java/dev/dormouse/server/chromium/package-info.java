/** A real browser, as tests of this module and of others use it. */
@NullMarked
package dev.dormouse.server.chromium;

import org.jspecify.annotations.NullMarked;
