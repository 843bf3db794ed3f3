package dev.dormouse.server.view;

/** What a run has answered. */
public record AnswerView(Value result) {}
