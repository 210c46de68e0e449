package io.pilothouse.store;

import io.pilothouse.core.base.Kind;
import io.pilothouse.core.service.PrivateEndpointUse;

/** Which service has which private endpoint, as rows found by the endpoint. */
final class PrivateEndpointUseRows implements Rows<PrivateEndpointUse> {
    @Override
    public Kind<PrivateEndpointUse> kind() {
        return PrivateEndpointUse.KIND;
    }

    @Override
    public String reference(PrivateEndpointUse row) {
        return PrivateEndpointUse.reference(row.organizationId(), row.endpointId());
    }

    @Override
    public void write(PrivateEndpointUse row, DocumentOut document) {
        document.text("endpointId", row.endpointId()).text("serviceId", row.serviceId());
    }

    @Override
    public PrivateEndpointUse read(Head head, DocumentIn document) {
        return new PrivateEndpointUse(
                head.id(),
                head.ownerId(),
                head.createdAt(),
                head.version(),
                document.text("endpointId", ""),
                document.id("serviceId", head.id()));
    }

    @Override
    public PrivateEndpointUse withVersion(PrivateEndpointUse row, long version) {
        return new PrivateEndpointUse(
                row.id(), row.organizationId(), row.createdAt(), version, row.endpointId(), row.serviceId());
    }
}
