package dev.dormouse.server.view;

import java.util.List;
import java.util.Optional;

/**
 * A page of a list.
 *
 * @param next the parameter {@code page} of the next page; null on the last page
 */
public record PageView<T>(List<T> items, Optional<String> next) {}
