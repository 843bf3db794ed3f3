package dev.dormouse.server.view;

/** What an error code means. */
public record ErrorCodeView(String code, String name, String meaning, String whatToDo) {}
