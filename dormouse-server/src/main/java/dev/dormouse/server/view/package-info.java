/** The JSON objects of responses, as records, if several resources use them; and the removal of tokens from them. */
@NullMarked
package dev.dormouse.server.view;

import org.jspecify.annotations.NullMarked;
