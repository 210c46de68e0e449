package io.pilothouse.gateway;

/** One use of a service's database by this program itself: until it is closed, the service counts as used. */
public interface GatewayUse extends AutoCloseable {
    /** Where the database is reached over HTTP, from memory; wakes nothing. */
    GatewayReach reach();

    /** Makes a sleeping or starting service run, and gives the state once it does or when the time of its limits is up. */
    GatewayReach awaken() throws InterruptedException;

    @Override
    void close();
}
