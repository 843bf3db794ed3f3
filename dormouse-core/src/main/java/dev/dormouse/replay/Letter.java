package dev.dormouse.replay;

import dev.dormouse.history.Message;

/**
 * A signal or an update for the code to handle.
 *
 * @param position the position in the inbox, by which an update is answered
 */
public record Letter(long position, Message message) {}
