package io.pilothouse.http.emulator;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.injection.Injection;
import io.pilothouse.core.injection.Injection.Frequency;
import io.pilothouse.core.injection.Injection.Scope;
import io.pilothouse.core.injection.InjectionDraft;
import io.pilothouse.core.injection.InjectionOperations;
import io.pilothouse.core.injection.Injections;
import io.pilothouse.core.injection.ServiceTrouble;
import io.pilothouse.http.json.JsonPath;
import io.pilothouse.http.json.JsonReader;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.json.RequestBody;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Injected faults and plans of them, as people write them and are shown them. */
public final class InjectionJson {
    private InjectionJson() {}

    static InjectionDraft read(RequestBody body) {
        Map<String, Double> figures = new HashMap<>();
        for (String name : InjectionDraft.FIGURES.keySet()) {
            Double figure = body.number(name);
            if (figure != null) {
                figures.put(name, figure);
            }
        }
        return new InjectionDraft(
                body.members().values().keySet(),
                body.text("name"),
                body.text("effect"),
                figures,
                body.texts("operations"),
                body.id("keyId"),
                body.id("organizationId"),
                body.id("serviceId"));
    }

    static InjectionOperations.Plan readPlan(RequestBody body, Faults faults) {
        for (String name : body.members().values().keySet()) {
            if (!name.equals("seed") && !name.equals("faults")) {
                faults.add(name, "is unknown: a plan has seed and faults");
            }
        }
        return new InjectionOperations.Plan(
                body.number("seed"),
                Objects.requireNonNullElse(body.objects("faults", InjectionJson::read), List.of()));
    }

    /** A plan from a file. */
    public static InjectionOperations.Plan readPlan(byte[] file, Faults faults) {
        return readPlan(new RequestBody(JsonReader.readObject(file, faults), JsonPath.ROOT, faults), faults);
    }

    static void write(JsonWriter out, Injections.Standing standing) {
        out.startObject();
        out.whole("seed", standing.seed());
        out.list("faults", standing.injections(), InjectionJson::write);
        out.endObject();
    }

    static void write(JsonWriter out, Injections.Count count) {
        out.startObject();
        writeMembers(out, count.injection());
        out.whole("met", count.met());
        out.whole("struck", count.struck());
        out.endObject();
    }

    private static void writeMembers(JsonWriter out, Injection injection) {
        Scope scope = injection.scope();
        Frequency frequency = injection.frequency();
        out.text("name", injection.name());
        out.text("effect", InjectionDraft.Word.of(injection.effect()).word());
        switch (injection.effect()) {
            case Injection.Answered answered -> {
                out.whole("status", answered.status());
                out.whole("retryAfterSeconds", answered.retryAfterSeconds());
                out.whole("delayMillis", answered.delay().toMillis());
            }
            case Injection.Delayed delayed ->
                out.whole("delayMillis", delayed.delay().toMillis());
            case Injection.Cut cut -> out.whole("delayMillis", cut.delay().toMillis());
            case ServiceTrouble _ -> out.id("serviceId", scope.serviceId());
        }
        if (!scope.operations().isEmpty()) {
            out.texts("operations", scope.operations());
        }
        out.id("keyId", scope.keyId());
        out.id("organizationId", scope.organizationId());
        out.number("probability", frequency.probability());
        out.whole("skip", frequency.skip());
        out.whole("burst", frequency.burst());
        if (frequency.count() > 0) {
            out.whole("count", frequency.count());
        }
    }
}
