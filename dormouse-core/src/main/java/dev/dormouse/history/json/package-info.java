/**
 * Histories as readable JSON files, for exports and for replays in tests. Internal: only the file format is stable.
 */
@NullMarked
package dev.dormouse.history.json;

import org.jspecify.annotations.NullMarked;
