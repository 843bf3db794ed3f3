/** The API over HTTP, and all that keeps it safe there: who asks, from where, how much, how often. */
@NullMarked
package dev.dormouse.server.http;

import org.jspecify.annotations.NullMarked;
