/** Connections: the engine's pools, the settings of its sessions, and connections for users' transactions. */
@NullMarked
package dev.dormouse.postgres.connect;

import org.jspecify.annotations.NullMarked;
