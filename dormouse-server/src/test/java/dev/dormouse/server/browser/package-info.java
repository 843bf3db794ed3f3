/** Tests of the dashboard in Chromium. */
@NullMarked
package dev.dormouse.server.browser;

import org.jspecify.annotations.NullMarked;
