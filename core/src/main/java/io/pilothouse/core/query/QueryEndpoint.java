package io.pilothouse.core.query;

import static io.pilothouse.core.base.FieldShape.text;
import static io.pilothouse.core.base.FieldShape.texts;

import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldShape;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.key.ApiKey;
import io.pilothouse.core.part.PartKind;
import io.pilothouse.core.part.ServicePart;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.service.Service;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/** Lets keys of its organization run SQL in a service, with the rights that the roles name and from these web origins. */
public final class QueryEndpoint implements PartKind {
    private static final String KEYS = "openApiKeys";
    private static final String ROLES = "roles";
    private static final String ORIGINS = "allowedOrigins";

    @Override
    public String name() {
        return "serviceQueryEndpoint";
    }

    @Override
    public String title() {
        return "Query endpoint";
    }

    @Override
    public String activity() {
        return "service_query_endpoint";
    }

    @Override
    public List<FieldShape> fields(RuleBook rules) {
        return List.of(
                texts(ROLES, QueryRole.WORDS).needed(),
                texts(KEYS),
                text(ORIGINS, RuleBook.ALLOWED_ORIGINS).orElse(""));
    }

    /** An empty list would count as no text. */
    @Override
    public void check(Tree.Members given, Tree.Members fields, RuleBook rules, Faults faults) {
        if (given.values().get(ORIGINS) instanceof Tree.Items) {
            faults.add(ORIGINS, "must be a string");
        }
    }

    @Override
    public void requireKnown(Tables tables, Service service, Tree.Members fields, Tree.Members before) {
        requireKeys(
                fields,
                before,
                id -> tables.of(ApiKey.KIND).find(service.organizationId(), id).isPresent());
    }

    /** A key that was listed before may have been deleted since: clients send the list that they have read. */
    static void requireKeys(Tree.Members fields, Tree.Members before, Predicate<UUID> known) {
        List<Fault> unknown = new ArrayList<>();
        List<String> keys = fields.texts(KEYS);
        Set<String> good = new HashSet<>(before.texts(KEYS));
        for (int i = 0; i < keys.size(); i++) {
            if (good.contains(keys.get(i)) || isKey(keys.get(i), known)) {
                good.add(keys.get(i));
            } else {
                unknown.add(new Fault(KEYS + "[" + i + "]", "is not the id of a key of this organization"));
            }
        }
        if (!unknown.isEmpty()) {
            throw Refused.badRequest(unknown);
        }
    }

    private static boolean isKey(String text, Predicate<UUID> known) {
        try {
            UUID id = UUID.fromString(text);
            return id.toString().equalsIgnoreCase(text) && known.test(id);
        } catch (IllegalArgumentException noUuid) {
            return false;
        }
    }

    static boolean lists(Tree.Members fields, UUID keyId) {
        return fields.texts(KEYS).stream().anyMatch(keyId.toString()::equalsIgnoreCase);
    }

    /** The one of its roles that allows most. */
    static QueryRole role(Tree.Members fields) {
        return fields.texts(ROLES).contains(QueryRole.ADMIN.word()) ? QueryRole.ADMIN : QueryRole.READ_ONLY;
    }

    /** Whether it names this web origin, with or without its scheme, or all. */
    static boolean allows(Tree.Members fields, String origin) {
        List<String> names = List.of("*", origin, origin.replaceFirst("^[a-z]+://", ""));
        return Arrays.stream(fields.text(ORIGINS).orElse("").split(",", -1))
                .map(String::strip)
                .anyMatch(each -> names.stream().anyMatch(each::equalsIgnoreCase));
    }

    @Override
    public Tree.Members shown(Tree.Members fields, Service service, Instant now) {
        return Tree.Members.NONE
                .with("id", new Tree.Text(ServicePart.idOf(service, this).toString()))
                .over(fields);
    }
}
