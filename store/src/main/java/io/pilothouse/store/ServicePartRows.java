package io.pilothouse.store;

import io.pilothouse.core.base.Kind;
import io.pilothouse.core.part.ServicePart;
import org.jspecify.annotations.Nullable;

/** Parts of services as rows, owned by their service. */
final class ServicePartRows implements Rows<ServicePart> {
    @Override
    public Kind<ServicePart> kind() {
        return ServicePart.KIND;
    }

    @Override
    public @Nullable String reference(ServicePart row) {
        return null;
    }

    @Override
    public void write(ServicePart row, DocumentOut document) {
        document.text("organizationId", row.organizationId()).tree("fields", row.fields());
    }

    @Override
    public ServicePart read(Head head, DocumentIn document) {
        return new ServicePart(
                head.id(),
                head.ownerId(),
                document.id("organizationId", head.ownerId()),
                head.createdAt(),
                head.version(),
                document.members("fields"));
    }

    @Override
    public ServicePart withVersion(ServicePart row, long version) {
        return new ServicePart(
                row.id(), row.serviceId(), row.organizationId(), row.createdAt(), version, row.fields());
    }
}
