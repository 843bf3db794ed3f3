/**
 * The store behind a Dormouse server, which {@code store("dormouse://HOST:PORT")} opens: a node with it is a complete
 * node and needs no database credentials.
 *
 * <ul>
 *   <li>{@code wire}: conversion between the records of the store SPI and the messages of the protocol
 *   <li>{@code serve}: the server, which makes a store available to remote nodes
 * </ul>
 */
@NullMarked
package dev.dormouse.remote;

import org.jspecify.annotations.NullMarked;
