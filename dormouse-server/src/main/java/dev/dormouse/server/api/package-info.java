/**
 * The API without HTTP: requests in, responses out, on the calling thread. The server puts HTTP around it; the command line
 * calls it as it is. It knows nothing of any web server.
 *
 * <p>{@link dev.dormouse.server.api.Api} finds a route in the {@link dev.dormouse.server.api.Router}'s table, checks the
 * caller's role, and lets the class of the resource answer: {@code RunsApi}, {@code TimersApi} and so on.
 */
@NullMarked
package dev.dormouse.server.api;

import org.jspecify.annotations.NullMarked;
