/** What answers look like: a record for each JSON object. */
@NullMarked
package dev.dormouse.server.view;

import org.jspecify.annotations.NullMarked;
