package io.pilothouse.store;

import io.pilothouse.core.base.Kind;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationTier;
import io.pilothouse.core.organization.PrivateEndpoint;
import org.jspecify.annotations.Nullable;

/** Organizations as rows; each is its own owner. */
final class OrganizationRows implements Rows<Organization> {
    @Override
    public Kind<Organization> kind() {
        return Organization.KIND;
    }

    @Override
    public @Nullable String reference(Organization row) {
        return null;
    }

    @Override
    public void write(Organization row, DocumentOut document) {
        document.text("name", row.name())
                .text("tier", row.tier())
                .flag("paid", row.paid())
                .flag("enableCoreDumps", row.enableCoreDumps())
                .list(
                        "privateEndpoints",
                        row.privateEndpoints(),
                        (endpoint, out) -> out.text("id", endpoint.id())
                                .text("description", endpoint.description())
                                .text("cloudProvider", endpoint.cloudProvider())
                                .text("region", endpoint.region()))
                .list(
                        "byocConfig",
                        row.byocConfig(),
                        (byoc, out) -> out.text("id", byoc.id()).text("accountName", byoc.accountName()));
    }

    @Override
    public Organization read(Head head, DocumentIn document) {
        return new Organization(
                head.id(),
                head.createdAt(),
                head.version(),
                document.text("name", ""),
                document.choice("tier", OrganizationTier.BASIC),
                document.flag("paid"),
                document.flag("enableCoreDumps"),
                document.list("privateEndpoints", OrganizationRows::privateEndpoint),
                document.list("byocConfig", OrganizationRows::byoc));
    }

    private static PrivateEndpoint privateEndpoint(DocumentIn in) {
        return new PrivateEndpoint(
                in.text("id", ""),
                in.textOrNull("description"),
                in.textOrNull("cloudProvider"),
                in.textOrNull("region"));
    }

    private static Organization.Byoc byoc(DocumentIn in) {
        return new Organization.Byoc(in.text("id", ""), in.text("accountName", ""));
    }

    @Override
    public Organization withVersion(Organization row, long version) {
        return new Organization(
                row.id(),
                row.createdAt(),
                version,
                row.name(),
                row.tier(),
                row.paid(),
                row.enableCoreDumps(),
                row.privateEndpoints(),
                row.byocConfig());
    }
}
