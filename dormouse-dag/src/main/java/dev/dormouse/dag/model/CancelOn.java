package dev.dormouse.dag.model;

import dev.dormouse.dag.data.Template;
import java.util.Map;

/** An event that ends a run, and what it must hold, by path. */
public record CancelOn(String event, Map<String, Template> match) {}
