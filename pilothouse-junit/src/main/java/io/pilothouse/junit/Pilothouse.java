package io.pilothouse.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives tests a Pilothouse. A test, its constructor or a method before it that has a parameter of the type {@link
 * PilothouseOrganization} gets one of its own, which is erased after the test; with {@link RunningClickHouse}, the
 * organization has a service with a database that runs. One server serves all tests of a run.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@ExtendWith(PilothouseExtension.class)
public @interface Pilothouse {
    /** What is behind services; what a method says counts more than what its class says. */
    Plane plane() default Plane.SIMULATED;
}
