/**
 * Reads requests and limits them: JSON bodies, query parameters, values in texts, page cursors, and limits on concurrent
 * requests and on store reads. A mistake of the caller is an {@link dev.dormouse.server.request.ApiProblem}.
 */
@NullMarked
package dev.dormouse.server.request;

import org.jspecify.annotations.NullMarked;
