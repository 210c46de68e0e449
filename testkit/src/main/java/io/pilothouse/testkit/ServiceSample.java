package io.pilothouse.testkit;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.IpAccessEntry;
import io.pilothouse.core.scaling.Scaling;
import io.pilothouse.core.secret.PasswordHashes;
import io.pilothouse.core.service.Access;
import io.pilothouse.core.service.BackupConfiguration;
import io.pilothouse.core.service.BackupOrigin;
import io.pilothouse.core.service.Encryption;
import io.pilothouse.core.service.Placement;
import io.pilothouse.core.service.Seen;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceFields;
import io.pilothouse.core.service.Warehouse;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** An ordinary service that was just requested, for tests that do not care about its details. */
public final class ServiceSample {
    private ServiceSample() {}

    public static Service wanted(UUID id, UUID organizationId, Instant now) {
        return new Service(
                Head.of(id, organizationId, now),
                new Service.Fixed(
                        new Placement("aws", "us-east-1", null, null, null, null),
                        new Warehouse(id, true, false),
                        null),
                new Service.Details(
                        "Service " + id.toString().substring(0, 8),
                        new Encryption(null, null, false, null),
                        "default",
                        List.of(),
                        ServiceFields.DEFAULTS),
                new Scaling(8, 120, 3, null, true, 15),
                new Access(List.of(new IpAccessEntry("127.0.0.1", null)), List.of(), false),
                new PasswordHashes(
                        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                        "94bdcebe19083ce2a1f959fd02f964c7af4cfc29"),
                BackupConfiguration.STANDARD,
                Service.Want.run(now),
                Seen.nothingYet(now));
    }

    /** The same service, created from this backup. */
    public static Service beginningWith(Service service, BackupOrigin origin) {
        return fixed(service, new Service.Fixed(service.placement(), service.warehouse(), origin));
    }

    /** The same service, in this warehouse. */
    public static Service inWarehouse(Service service, Warehouse warehouse) {
        return fixed(
                service,
                new Service.Fixed(
                        service.placement(), warehouse, service.fixed().origin()));
    }

    private static Service fixed(Service service, Service.Fixed fixed) {
        return new Service(
                service.head(),
                fixed,
                service.details(),
                service.scaling(),
                service.access(),
                service.password(),
                service.backups(),
                service.want(),
                service.seen());
    }

    /** The same service with its MySQL port switched: a change that only a start brings about. */
    public static Service withMysql(Service service, boolean mysql) {
        Access access = service.access();
        return service.withAccess(
                new Access(access.ipAccessList(), access.privateEndpointIds(), mysql, access.ports()));
    }
}
