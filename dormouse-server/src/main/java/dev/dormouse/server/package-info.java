/**
 * An HTTP API and a dashboard for a {@link dev.dormouse.Dormouse}, inside your service:
 *
 * <pre>{@code
 * try (DormouseServer server = DormouseServer.builder().dormouse(dormouse).start()) {
 *   System.out.println("Dashboard at " + server.url());
 * }
 * }</pre>
 */
@NullMarked
package dev.dormouse.server;

import org.jspecify.annotations.NullMarked;
