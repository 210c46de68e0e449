package io.pilothouse.server;

/** Which program this is: the version that its jar was built as. */
final class Version {
    private Version() {}

    static String ofProgram() {
        String built = Version.class.getPackage().getImplementationVersion();
        return built == null ? "development" : built;
    }
}
