package io.pilothouse.junit;

import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Fills the parameters of tests that {@link Pilothouse} is for. JUnit makes it and closes what it keeps in its stores. */
public final class PilothouseExtension implements ParameterResolver {
    private static final Namespace OURS = Namespace.create(PilothouseExtension.class);

    /** For JUnit, which makes one for each test class. */
    public PilothouseExtension() {}

    private record ServerKey(Plane plane) {}

    /** What belongs to one test must not be found by the tests in it, whose stores look into those around them. */
    private record PartKey(String contextId, Class<?> type) {}

    /** A constructor is called for one test, and what it is given belongs to that. */
    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext rootContext) {
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == PilothouseOrganization.class || type == RunningClickHouse.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        PilothouseOrganization organization = organization(context);
        if (parameter.getParameter().getType() == PilothouseOrganization.class) {
            return organization;
        }
        return context.getStore(OURS)
                .computeIfAbsent(
                        new PartKey(context.getUniqueId(), RunningClickHouse.class),
                        _ -> RunningClickHouse.in(
                                organization, settings(context).startLimit()),
                        RunningClickHouse.class);
    }

    private static PilothouseOrganization organization(ExtensionContext context) {
        return context.getStore(OURS)
                .computeIfAbsent(
                        new PartKey(context.getUniqueId(), PilothouseOrganization.class),
                        _ -> PilothouseOrganization.on(server(context).access()),
                        PilothouseOrganization.class);
    }

    private static ServerOfRun server(ExtensionContext context) {
        Store ofRun = context.getRoot().getStore(OURS);
        Settings settings = settings(context);
        return ofRun.computeIfAbsent(
                new ServerKey(plane(context)),
                key -> ServerOfRun.start(
                        key.plane(),
                        settings,
                        (java, classes) -> ofRun.computeIfAbsent(
                                PreparedStart.class,
                                _ -> PreparedStart.of(java, classes, settings.environment()),
                                PreparedStart.class)),
                ServerOfRun.class);
    }

    private static Settings settings(ExtensionContext context) {
        return Settings.of(context::getConfigurationParameter, System.getenv());
    }

    private static Plane plane(ExtensionContext context) {
        Optional<ExtensionContext> each = Optional.of(context);
        while (each.isPresent()) {
            Optional<Pilothouse> said = each.get()
                    .getElement()
                    .flatMap(element -> AnnotationSupport.findAnnotation(element, Pilothouse.class));
            if (said.isPresent()) {
                return said.get().plane();
            }
            each = each.get().getParent();
        }
        return Plane.SIMULATED;
    }
}
