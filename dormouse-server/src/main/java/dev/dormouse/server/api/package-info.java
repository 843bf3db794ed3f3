/**
 * The API without HTTP: requests in, responses out, on the calling thread. The server adds HTTP; the command line calls
 * it directly. It does not depend on a web server.
 *
 * <p>{@link dev.dormouse.server.api.Api} finds a route in the {@link dev.dormouse.server.api.Router}'s table, checks
 * the caller's role, and calls the class of the resource: {@code RunsApi}, {@code TimersApi} and so on.
 */
@NullMarked
package dev.dormouse.server.api;

import org.jspecify.annotations.NullMarked;
