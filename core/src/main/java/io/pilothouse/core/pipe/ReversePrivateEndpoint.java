package io.pilothouse.core.pipe;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.RowIds;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.base.WordRule;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A private connection from a service to a source; its pipes share it. {@code status} is written by the engine only. */
public record ReversePrivateEndpoint(
        Head head,
        UUID organizationId,
        String description,
        Type type,
        @Nullable String vpcEndpointServiceName,
        @Nullable String vpcResourceConfigurationId,
        @Nullable String vpcResourceShareArn,
        @Nullable String mskClusterArn,
        @Nullable String mskAuthentication,
        @Nullable String gcpServiceAttachment,
        List<String> customPrivateDnsNames,
        Status status,
        boolean deleted,
        Instant since)
        implements Stored {
    /** Owner: the service. */
    public static final Kind<ReversePrivateEndpoint> KIND =
            new Kind<>("reverse_private_endpoints", ReversePrivateEndpoint.class);

    /** The source that the endpoint leads to. */
    public enum Type {
        VPC_ENDPOINT_SERVICE,
        VPC_RESOURCE,
        MSK_MULTI_VPC,
        GCP_PSC_SERVICE_ATTACHMENT;

        /** The words of the wire. */
        public static final WordRule WORDS = WordRule.of(values(), Type::name);
    }

    /** How far the endpoint is; the words are those of the wire. */
    public enum Status {
        UNKNOWN("Unknown"),
        PROVISIONING("Provisioning"),
        PENDING_ACCEPTANCE("PendingAcceptance"),
        READY("Ready"),
        REJECTED("Rejected"),
        EXPIRED("Expired"),
        FAILED("Failed"),
        DELETING("Deleting");

        private final String word;

        Status(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    public ReversePrivateEndpoint {
        customPrivateDnsNames = List.copyOf(customPrivateDnsNames);
    }

    public UUID serviceId() {
        return head.ownerId();
    }

    /** The status that clients see: deletion shows at once, whatever was last seen. */
    public Status shownStatus() {
        return deleted ? Status.DELETING : status;
    }

    /** The endpoint's own identifier in the cloud: derived, so it never changes. */
    public String endpointId() {
        return "vpce-" + RowIds.lastDigits(id(), 17);
    }

    /** The names under which a pipe reaches the source, once it is connected. */
    public List<String> dnsNames() {
        return status == Status.READY ? List.of(endpointId() + ".reverse.pilothouse.internal") : List.of();
    }

    /** Other names that lead there: those that were given, and for a cluster of MSK those of its brokers. */
    public List<String> privateDnsNames() {
        if (status != Status.READY) {
            return List.of();
        }
        return type == Type.MSK_MULTI_VPC ? brokerNames() : customPrivateDnsNames;
    }

    /** A broker in each of three zones. */
    private List<String> brokerNames() {
        String cluster = RowIds.lastDigits(id(), 12);
        return Stream.of("b-1", "b-2", "b-3")
                .map(broker -> broker + "." + cluster + ".kafka.reverse.pilothouse.internal")
                .toList();
    }

    public ReversePrivateEndpoint withStatus(Status next, Instant now) {
        return copy(customPrivateDnsNames, next, deleted, now);
    }

    public ReversePrivateEndpoint withDnsNames(List<String> names) {
        return copy(names, status, deleted, since);
    }

    public ReversePrivateEndpoint asDeleted(Instant now) {
        return copy(customPrivateDnsNames, status, true, now);
    }

    private ReversePrivateEndpoint copy(List<String> names, Status next, boolean gone, Instant when) {
        return new ReversePrivateEndpoint(
                head,
                organizationId,
                description,
                type,
                vpcEndpointServiceName,
                vpcResourceConfigurationId,
                vpcResourceShareArn,
                mskClusterArn,
                mskAuthentication,
                gcpServiceAttachment,
                names,
                next,
                gone,
                when);
    }
}
