/** The API over HTTP, and its protection: authentication, forged requests, limits on size, rate and concurrency. */
@NullMarked
package dev.dormouse.server.http;

import org.jspecify.annotations.NullMarked;
