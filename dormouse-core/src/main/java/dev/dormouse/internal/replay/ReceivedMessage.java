package dev.dormouse.internal.replay;

import dev.dormouse.internal.history.Message;

/**
 * A signal or an update for the code to handle.
 *
 * @param position the position in the inbox, by which an update is answered
 */
public record ReceivedMessage(long position, Message message) {}
