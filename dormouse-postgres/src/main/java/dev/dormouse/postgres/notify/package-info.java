/** Notifications between nodes by LISTEN and NOTIFY, and the sockets of connections that listen. */
@NullMarked
package dev.dormouse.postgres.notify;

import org.jspecify.annotations.NullMarked;
