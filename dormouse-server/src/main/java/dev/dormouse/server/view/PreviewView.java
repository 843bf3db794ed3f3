package dev.dormouse.server.view;

import java.time.Instant;
import java.util.List;

/** The next instants of a timetable. */
public record PreviewView(List<Instant> next) {}
