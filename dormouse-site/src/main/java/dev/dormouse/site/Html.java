package dev.dormouse.site;

/** Escaping of text in HTML. */
final class Html {
    private Html() {}

    /** Returns the text for use in elements and in attributes with double quotes. */
    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
