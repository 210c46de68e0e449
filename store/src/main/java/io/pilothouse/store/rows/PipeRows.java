package io.pilothouse.store.rows;

import static io.pilothouse.store.rows.Codec.FLAG;
import static io.pilothouse.store.rows.Codec.FRACTION;
import static io.pilothouse.store.rows.Codec.ID;
import static io.pilothouse.store.rows.Codec.INSTANT;
import static io.pilothouse.store.rows.Codec.ITEMS;
import static io.pilothouse.store.rows.Codec.LARGE_NUMBER;
import static io.pilothouse.store.rows.Codec.MEMBERS;
import static io.pilothouse.store.rows.Codec.NUMBER;
import static io.pilothouse.store.rows.Codec.TEXT;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeCdcScaling;
import io.pilothouse.core.pipe.PipeKind;
import io.pilothouse.core.pipe.PipePhase;
import io.pilothouse.core.pipe.PipeRange;
import io.pilothouse.core.pipe.PipeScaling;
import io.pilothouse.core.pipe.PipeSeen;
import io.pilothouse.core.pipe.ReversePrivateEndpoint;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Pipes as rows, owned by their service, and what pipes share; their secrets are sealed before they come here. */
final class PipeRows {
    private static final Tree.Items NO_ITEMS = new Tree.Items(List.of());
    private static final PipeScaling SMALLEST = PipeScaling.SMALLEST;

    private static final Shape<PipeScaling> SCALING = f -> new PipeScaling(
            f.get("replicas", PipeScaling::replicas, NUMBER, SMALLEST.replicas()),
            f.get("concurrency", PipeScaling::concurrency, NUMBER, SMALLEST.concurrency()),
            f.get("replicaCpuMillicores", PipeScaling::replicaCpuMillicores, NUMBER, SMALLEST.replicaCpuMillicores()),
            f.get("replicaMemoryGb", PipeScaling::replicaMemoryGb, FRACTION, SMALLEST.replicaMemoryGb()));

    private static final Shape<Pipe.Configuration> CONFIGURATION = f -> new Pipe.Configuration(
            f.get("name", Pipe.Configuration::name, TEXT, ""),
            f.get("source", Pipe.Configuration::source, MEMBERS, Tree.Members.NONE),
            f.find("sealedSecrets", Pipe.Configuration::sealedSecrets, TEXT),
            f.get("destination", Pipe.Configuration::destination, MEMBERS, Tree.Members.NONE),
            f.get("fieldMappings", Pipe.Configuration::fieldMappings, ITEMS, NO_ITEMS),
            f.get("settings", Pipe.Configuration::settings, MEMBERS, Tree.Members.NONE),
            f.get("scaling", Pipe.Configuration::scaling, SCALING));

    private static final Shape<Pipe.Want> WANT = f -> new Pipe.Want(
            f.choice("wish", Pipe.Want::wish, Pipe.Wish.RUN),
            f.get("generation", Pipe.Want::generation, NUMBER, 1),
            f.get("resyncs", Pipe.Want::resyncs, NUMBER, 0),
            f.get("tables", Pipe.Want::tables, MEMBERS, Tree.Members.NONE),
            f.get("since", Pipe.Want::since, INSTANT, f.head.createdAt()));

    private static final Shape<PipeSeen> SEEN = f -> new PipeSeen(
            f.choice("phase", PipeSeen::phase, PipePhase.UNKNOWN),
            f.get("generation", PipeSeen::generation, NUMBER, 0),
            f.get("resyncs", PipeSeen::resyncs, NUMBER, 0),
            f.find("trouble", PipeSeen::trouble, TEXT),
            f.get("since", PipeSeen::since, INSTANT, f.head.createdAt()));

    static final Rows<Pipe> PIPES = Rows.of(
                    Pipe.KIND,
                    f -> new Pipe(
                            f.head,
                            f.get("organizationId", Pipe::organizationId, ID, f.head.ownerId()),
                            f.get("updatedAt", Pipe::updatedAt, INSTANT, f.head.createdAt()),
                            f.choice("kind", Pipe::kind, PipeKind.KAFKA),
                            f.part(Pipe::configuration, CONFIGURATION),
                            f.get("want", Pipe::want, WANT),
                            f.get("seen", Pipe::seen, SEEN)))
            .countedUnder(pipe -> pipe.label().text());

    private static final PipeCdcScaling FIRST = PipeCdcScaling.first(new UUID(0, 0), Instant.EPOCH);

    static final Rows<PipeCdcScaling> CDC_SCALINGS = Rows.of(
            PipeCdcScaling.KIND,
            f -> new PipeCdcScaling(
                    f.head,
                    f.get(
                            "replicaCpuMillicores",
                            PipeCdcScaling::replicaCpuMillicores,
                            NUMBER,
                            FIRST.replicaCpuMillicores()),
                    f.get("replicaMemoryGb", PipeCdcScaling::replicaMemoryGb, FRACTION, FIRST.replicaMemoryGb())));

    static final Rows<PipeRange> RANGES = Rows.of(
            PipeRange.KIND,
            f -> new PipeRange(
                    f.head,
                    f.get("part", PipeRange::part, TEXT, ""),
                    f.get("mark", PipeRange::mark, LARGE_NUMBER, 0L),
                    f.find("pendingTo", PipeRange::pendingTo, LARGE_NUMBER),
                    f.get("identity", PipeRange::identity, TEXT, ""),
                    f.get("epoch", PipeRange::epoch, LARGE_NUMBER, 0L)));

    static final Rows<ReversePrivateEndpoint> REVERSE_PRIVATE_ENDPOINTS = Rows.of(
            ReversePrivateEndpoint.KIND,
            f -> new ReversePrivateEndpoint(
                    f.head,
                    f.get("organizationId", ReversePrivateEndpoint::organizationId, ID, f.head.ownerId()),
                    f.get("description", ReversePrivateEndpoint::description, TEXT, ""),
                    f.choice("type", ReversePrivateEndpoint::type, ReversePrivateEndpoint.Type.VPC_ENDPOINT_SERVICE),
                    f.find("vpcEndpointServiceName", ReversePrivateEndpoint::vpcEndpointServiceName, TEXT),
                    f.find("vpcResourceConfigurationId", ReversePrivateEndpoint::vpcResourceConfigurationId, TEXT),
                    f.find("vpcResourceShareArn", ReversePrivateEndpoint::vpcResourceShareArn, TEXT),
                    f.find("mskClusterArn", ReversePrivateEndpoint::mskClusterArn, TEXT),
                    f.find("mskAuthentication", ReversePrivateEndpoint::mskAuthentication, TEXT),
                    f.find("gcpServiceAttachment", ReversePrivateEndpoint::gcpServiceAttachment, TEXT),
                    f.list("customPrivateDnsNames", ReversePrivateEndpoint::customPrivateDnsNames, TEXT),
                    f.choice("status", ReversePrivateEndpoint::status, ReversePrivateEndpoint.Status.UNKNOWN),
                    f.get("deleted", ReversePrivateEndpoint::deleted, FLAG, false),
                    f.get("since", ReversePrivateEndpoint::since, INSTANT, f.head.createdAt())));

    private PipeRows() {}
}
