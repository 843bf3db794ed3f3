/** What must stay secret in what is shown. */
@NullMarked
package dev.dormouse.server.secret;

import org.jspecify.annotations.NullMarked;
