package dev.dormouse.server.view;

import java.util.List;
import java.util.Optional;

/**
 * A page of a list.
 *
 * @param next hand it on as {@code page}; null on the last page
 */
public record PageView<T>(List<T> items, Optional<String> next) {}
