package io.pilothouse.core.pipe;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.RuleBook;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules of reverse private endpoints: the needs of each type, and the names that may be given to one; pure. */
public record ReversePrivateEndpointRules(Faults faults) {
    private static final List<String> RESERVED = List.of("local", "localhost", "internal", "corp", "private");

    /** Checks a request and says what type it is of; the fields of other types must not be given. */
    public Optional<ReversePrivateEndpoint.Type> check(ReversePrivateEndpointDraft draft) {
        String description = draft.description();
        if (description == null || description.isBlank()) {
            if (!faults.has("description")) {
                faults.add("description", "is required");
            }
        } else {
            RuleBook.REVERSE_ENDPOINT_DESCRIPTION.check("description", description, faults);
        }
        Optional<ReversePrivateEndpoint.Type> type = type(draft.type());
        type.ifPresent(known -> {
            Set<String> needed = needed(known);
            field("vpcEndpointServiceName", draft.vpcEndpointServiceName(), needed, known);
            field("vpcResourceConfigurationId", draft.vpcResourceConfigurationId(), needed, known);
            field("vpcResourceShareArn", draft.vpcResourceShareArn(), needed, known);
            field("mskClusterArn", draft.mskClusterArn(), needed, known);
            field("mskAuthentication", draft.mskAuthentication(), needed, known);
            field("gcpServiceAttachment", draft.gcpServiceAttachment(), needed, known);
            if (known == ReversePrivateEndpoint.Type.MSK_MULTI_VPC && given(draft.mskAuthentication()) != null) {
                RuleBook.MSK_AUTHENTICATIONS.check("mskAuthentication", draft.mskAuthentication(), faults);
            }
            checkNames(known, draft.customPrivateDnsNames() == null ? List.of() : draft.customPrivateDnsNames());
        });
        RuleBook.GCP_SERVICE_ATTACHMENT.check("gcpServiceAttachment", given(draft.gcpServiceAttachment()), faults);
        return type;
    }

    /** Checks the names that an endpoint is to have; a wildcard covers one label. */
    public void checkNames(ReversePrivateEndpoint.Type type, List<String> names) {
        if (!names.isEmpty() && type == ReversePrivateEndpoint.Type.MSK_MULTI_VPC) {
            faults.add("customPrivateDnsMappings", "are not offered for MSK_MULTI_VPC");
        }
        RuleBook.PRIVATE_DNS_NAMES.check("customPrivateDnsMappings", names.size(), faults);
        List<String> seen = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String path = "customPrivateDnsMappings[" + i + "].privateDnsName";
            String name = names.get(i).toLowerCase(Locale.ROOT);
            RuleBook.PRIVATE_DNS_NAME.check(path, name, faults);
            if (RESERVED.contains(name.substring(name.lastIndexOf('.') + 1))) {
                faults.add(path, "ends in a reserved suffix (" + String.join(", ", RESERVED) + ")");
            }
            if (seen.stream().anyMatch(other -> overlap(other, name))) {
                faults.add(path, "overlaps another name");
            }
            seen.add(name);
        }
    }

    /** Whether two names, of which either may be a wildcard, can mean the same host. */
    public static boolean overlap(String one, String other) {
        String first = one.toLowerCase(Locale.ROOT);
        String second = other.toLowerCase(Locale.ROOT);
        return first.equals(second)
                || (first.startsWith("*.") && parent(second).equals(first.substring(2)))
                || (second.startsWith("*.") && parent(first).equals(second.substring(2)));
    }

    private static String parent(String name) {
        return name.substring(name.indexOf('.') + 1);
    }

    private Optional<ReversePrivateEndpoint.Type> type(@Nullable String word) {
        for (ReversePrivateEndpoint.Type type : ReversePrivateEndpoint.Type.values()) {
            if (type.name().equals(word)) {
                return Optional.of(type);
            }
        }
        if (!faults.has("type")) {
            faults.add("type", word == null ? "is required" : ReversePrivateEndpoint.Type.WORDS.message());
        }
        return Optional.empty();
    }

    private static Set<String> needed(ReversePrivateEndpoint.Type type) {
        return switch (type) {
            case VPC_ENDPOINT_SERVICE -> Set.of("vpcEndpointServiceName");
            case VPC_RESOURCE -> Set.of("vpcResourceConfigurationId", "vpcResourceShareArn");
            case MSK_MULTI_VPC -> Set.of("mskClusterArn", "mskAuthentication");
            case GCP_PSC_SERVICE_ATTACHMENT -> Set.of("gcpServiceAttachment");
        };
    }

    private void field(String name, @Nullable String value, Set<String> needed, ReversePrivateEndpoint.Type type) {
        boolean wanted = needed.contains(name);
        String text = given(value);
        if (wanted && text == null) {
            if (!faults.has(name)) {
                faults.add(name, "is required for " + type);
            }
        } else if (!wanted && text != null) {
            faults.add(name, "does not belong to " + type);
        } else {
            RuleBook.REVERSE_ENDPOINT_IDENTIFIER.check(name, text, faults);
        }
    }

    /** Clients send an empty text for what they leave out. */
    public static @Nullable String given(@Nullable String value) {
        return value == null || value.isBlank() ? null : value;
    }
}
