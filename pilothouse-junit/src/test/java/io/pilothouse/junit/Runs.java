package io.pilothouse.junit;

import java.util.List;
import java.util.Map;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs test classes as a user's project would, in a run of their own. */
final class Runs {
    private Runs() {}

    static TestExecutionSummary of(Map<String, String> parameters, List<Class<?>> classes) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(classes.stream()
                                        .map(DiscoverySelectors::selectClass)
                                        .toList())
                                .configurationParameters(parameters)
                                .build(),
                        listener);
        return listener.getSummary();
    }
}
