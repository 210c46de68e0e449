package io.pilothouse.http.emulator;

import io.pilothouse.core.injection.Injection;
import io.pilothouse.core.injection.InjectionDraft;
import io.pilothouse.core.injection.InjectionOperations;
import io.pilothouse.core.injection.Injections;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Request;

/** Faults on demand: set, counted and taken back. */
public record FaultRoutes(InjectionOperations injections) {
    public Answer list(Request request) {
        return request.untagged(injections.list(request.checkedPermit()), InjectionJson::write);
    }

    public Answer add(Request request) {
        InjectionDraft draft = InjectionJson.read(request.object());
        Injection set = injections.add(request.permit(), draft, request.faults());
        return request.untagged(new Injections.Count(set, 0, 0), InjectionJson::write);
    }

    public Answer replace(Request request) {
        InjectionOperations.Plan plan = InjectionJson.readPlan(request.object(), request.faults());
        return request.untagged(injections.replace(request.permit(), plan, request.faults()), InjectionJson::write);
    }

    public Answer remove(Request request) {
        injections.remove(request.checkedPermit(), request.name("faultName"));
        return request.done();
    }

    public Answer removeAll(Request request) {
        injections.removeAll(request.checkedPermit());
        return request.done();
    }
}
