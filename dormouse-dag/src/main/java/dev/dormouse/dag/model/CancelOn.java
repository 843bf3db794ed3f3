package dev.dormouse.dag.model;

import dev.dormouse.dag.data.Template;
import java.util.Map;

/** An event that cancels a run, and the values that it must have, by path. */
public record CancelOn(String event, Map<String, Template> match) {}
