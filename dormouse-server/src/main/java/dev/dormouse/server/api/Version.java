package dev.dormouse.server.api;

/** Which Dormouse this is. */
final class Version {
    private Version() {}

    /** From the jar's manifest; there is none in a class folder. */
    static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
