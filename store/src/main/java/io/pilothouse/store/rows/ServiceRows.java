package io.pilothouse.store.rows;

import static io.pilothouse.store.rows.Codec.FLAG;
import static io.pilothouse.store.rows.Codec.ID;
import static io.pilothouse.store.rows.Codec.INSTANT;
import static io.pilothouse.store.rows.Codec.LARGE_NUMBER;
import static io.pilothouse.store.rows.Codec.MEMBERS;
import static io.pilothouse.store.rows.Codec.NUMBER;
import static io.pilothouse.store.rows.Codec.TEXT;

import io.pilothouse.core.backup.Archive;
import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.backup.BackupBucket;
import io.pilothouse.core.backup.BackupProof;
import io.pilothouse.core.base.IpAccessEntry;
import io.pilothouse.core.base.Tag;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.host.Host;
import io.pilothouse.core.part.ServicePart;
import io.pilothouse.core.privateendpoint.PrivateEndpointUse;
import io.pilothouse.core.scaling.Scaling;
import io.pilothouse.core.secret.PasswordHashes;
import io.pilothouse.core.service.Access;
import io.pilothouse.core.service.BackupConfiguration;
import io.pilothouse.core.service.BackupOrigin;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Encryption;
import io.pilothouse.core.service.Placement;
import io.pilothouse.core.service.Seen;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceFields;
import io.pilothouse.core.service.ServicePorts;
import io.pilothouse.core.service.Warehouse;
import io.pilothouse.core.service.Wish;

/** Services as rows, and what belongs to them: their parts, their backups and the index of their private endpoints. */
final class ServiceRows {
    static final Shape<IpAccessEntry> IP_ACCESS = f -> new IpAccessEntry(
            f.get("source", IpAccessEntry::source, TEXT, ""), f.find("description", IpAccessEntry::description, TEXT));

    private static final Shape<Placement> PLACEMENT = f -> new Placement(
            f.get("provider", Placement::provider, TEXT, ""),
            f.get("region", Placement::region, TEXT, ""),
            f.find("tier", Placement::tier, TEXT),
            f.find("byocId", Placement::byocId, TEXT),
            f.find("profile", Placement::profile, TEXT),
            f.find("complianceType", Placement::complianceType, TEXT));

    private static final Shape<Scaling.Band> BAND = f -> new Scaling.Band(
            f.get("minReplicas", Scaling.Band::minReplicas, NUMBER, 1),
            f.get("maxReplicas", Scaling.Band::maxReplicas, NUMBER, 1));

    private static final Shape<Scaling> SCALING = f -> new Scaling(
            f.get("minReplicaMemoryGb", Scaling::minReplicaMemoryGb, NUMBER, 0),
            f.get("maxReplicaMemoryGb", Scaling::maxReplicaMemoryGb, NUMBER, 0),
            f.get("numReplicas", Scaling::numReplicas, NUMBER, 1),
            f.find("band", Scaling::band, BAND),
            f.get("idleScaling", Scaling::idleScaling, FLAG, false),
            f.get("idleTimeoutMinutes", Scaling::idleTimeoutMinutes, LARGE_NUMBER, 0L));

    private static final Shape<Warehouse> WAREHOUSE = f -> new Warehouse(
            f.get("id", Warehouse::id, ID, f.head.id()),
            f.get("primary", Warehouse::primary, FLAG, false),
            f.get("readonly", Warehouse::readonly, FLAG, false));

    private static final Shape<ServicePorts> PORTS = f -> new ServicePorts(
            f.get("https", ServicePorts::https, NUMBER, 0),
            f.get("nativesecure", ServicePorts::nativesecure, NUMBER, 0),
            f.get("mysql", ServicePorts::mysql, NUMBER, 0));

    private static final Shape<Access> ACCESS = f -> new Access(
            f.list("ipAccessList", Access::ipAccessList, IP_ACCESS),
            f.list("privateEndpointIds", Access::privateEndpointIds, TEXT),
            f.get("mysql", Access::mysql, FLAG, false),
            f.find("ports", Access::ports, PORTS));

    private static final Shape<Encryption> ENCRYPTION = f -> new Encryption(
            f.find("key", Encryption::key, TEXT),
            f.find("assumedRoleIdentifier", Encryption::assumedRoleIdentifier, TEXT),
            f.get("transparent", Encryption::transparent, FLAG, false),
            f.find("transparentKeyId", Encryption::transparentKeyId, TEXT));

    static final Shape<Tag> TAG = f -> new Tag(f.get("key", Tag::key, TEXT, ""), f.find("value", Tag::value, TEXT));

    private static final Shape<PasswordHashes> PASSWORD = f -> new PasswordHashes(
            f.get("sha256", PasswordHashes::sha256, TEXT, ""),
            f.get("doubleSha1", PasswordHashes::doubleSha1, TEXT, ""));

    private static final Shape<BackupOrigin> ORIGIN = f -> new BackupOrigin(
            f.get("serviceId", BackupOrigin::serviceId, ID, f.head.id()),
            f.get("backupId", BackupOrigin::backupId, ID, f.head.id()));

    private static final BackupConfiguration STANDARD = BackupConfiguration.STANDARD;

    private static final Shape<BackupConfiguration> BACKUP_CONFIGURATION = f -> new BackupConfiguration(
            f.get("periodHours", BackupConfiguration::periodHours, NUMBER, STANDARD.periodHours()),
            f.get("retentionHours", BackupConfiguration::retentionHours, NUMBER, STANDARD.retentionHours()),
            f.find("startTime", BackupConfiguration::startTime, TEXT));

    private static final Shape<Seen> SEEN = f -> new Seen(
            f.choice("condition", Seen::condition, Condition.UNKNOWN),
            f.get("everRan", Seen::everRan, FLAG, false),
            f.find("dbVersion", Seen::dbVersion, TEXT),
            f.list("protocols", Seen::protocols, TEXT),
            f.find("trouble", Seen::trouble, TEXT),
            f.get("since", Seen::since, INSTANT, f.head.createdAt()),
            f.find("waiting", Seen::waiting, TEXT));

    private static final Shape<Service.Departure> DEPARTURE = f -> new Service.Departure(
            f.choice("stage", Service.Departure::stage, Service.Departure.Stage.CLOSING),
            f.get("since", Service.Departure::since, INSTANT, f.head.createdAt()),
            f.find("backupId", Service.Departure::backupId, ID));

    private static final Shape<Service.Host> HOST = f -> new Service.Host(
            f.get("id", Service.Host::id, ID, f.head.id()),
            f.get("address", Service.Host::address, TEXT, ""),
            f.find("departure", Service.Host::departure, DEPARTURE));

    private static final Shape<Service.Fixed> FIXED = f -> new Service.Fixed(
            f.get("placement", Service.Fixed::placement, PLACEMENT),
            f.get("warehouse", Service.Fixed::warehouse, WAREHOUSE),
            f.find("origin", Service.Fixed::origin, ORIGIN),
            f.find("host", Service.Fixed::host, HOST));

    private static final Shape<Service.Details> DETAILS = f -> new Service.Details(
            f.get("name", Service.Details::name, TEXT, ""),
            f.get("encryption", Service.Details::encryption, ENCRYPTION),
            f.get("releaseChannel", Service.Details::releaseChannel, TEXT, "default"),
            f.list("tags", Service.Details::tags, TAG),
            f.members(Service.Details::fields, ServiceFields.DEFAULTS));

    private static final Shape<Service.Setting> SETTING = f -> new Service.Setting(
            f.get("name", Service.Setting::name, TEXT, ""),
            f.get("value", Service.Setting::value, TEXT, ""),
            f.get("byDefault", Service.Setting::byDefault, TEXT, ""));

    private static final Shape<Service.Schedule> SCHEDULE = f -> new Service.Schedule(
            f.get("fields", Service.Schedule::fields, MEMBERS, Tree.Members.NONE),
            f.get("active", Service.Schedule::active, NUMBER, -1));

    private static final Shape<Service.Pin> PIN = f -> new Service.Pin(
            f.get("version", Service.Pin::version, TEXT, ""),
            f.find("before", Service.Pin::before, TEXT),
            f.get("since", Service.Pin::since, INSTANT, f.head.createdAt()),
            f.find("refused", Service.Pin::refused, TEXT));

    private static final Shape<Service.Want> WANT = f -> new Service.Want(
            f.choice("wish", Service.Want::wish, Wish.RUN),
            f.get("wishedAt", Service.Want::since, INSTANT, f.head.createdAt()),
            f.get("awaking", Service.Want::awaking, FLAG, false),
            f.find("scheduled", Service.Want::scheduled, SCALING),
            f.find("schedule", Service.Want::schedule, SCHEDULE),
            f.list("settings", Service.Want::settings, SETTING),
            f.find("pin", Service.Want::pin, PIN));

    static final Rows<Service> SERVICES = Rows.of(
                    Service.KIND,
                    f -> new Service(
                            f.head,
                            f.part(Service::fixed, FIXED),
                            f.part(Service::details, DETAILS),
                            f.get("scaling", Service::scaling, SCALING),
                            f.get("access", Service::access, ACCESS),
                            f.get("password", Service::password, PASSWORD),
                            f.get("backups", Service::backups, BACKUP_CONFIGURATION),
                            f.part(Service::want, WANT),
                            f.get("seen", Service::seen, SEEN)))
            .foundBy(service -> service.warehouse().id().toString())
            .countedUnder(service -> service.label().text());

    static final Rows<PrivateEndpointUse> PRIVATE_ENDPOINT_USES = Rows.of(
                    PrivateEndpointUse.KIND,
                    f -> new PrivateEndpointUse(
                            f.head,
                            f.get("endpointId", PrivateEndpointUse::endpointId, TEXT, ""),
                            f.get("serviceId", PrivateEndpointUse::serviceId, ID, f.head.id())))
            .foundBy(use -> PrivateEndpointUse.reference(use.organizationId(), use.endpointId()));

    static final Rows<ServicePart> PARTS = Rows.of(
            ServicePart.KIND,
            f -> new ServicePart(
                    f.head,
                    f.get("organizationId", ServicePart::organizationId, ID, f.head.ownerId()),
                    f.get("fields", ServicePart::fields, MEMBERS, Tree.Members.NONE)));

    static final Rows<BackupBucket> BACKUP_BUCKETS = Rows.of(
                    BackupBucket.KIND,
                    f -> new BackupBucket(
                            f.head,
                            f.get("organizationId", BackupBucket::organizationId, ID, f.head.ownerId()),
                            f.get("current", BackupBucket::current, FLAG, false),
                            f.get("fields", BackupBucket::fields, MEMBERS, Tree.Members.NONE),
                            f.find("sealedSecrets", BackupBucket::sealedSecrets, TEXT)))
            .foundBy(bucket -> bucket.current() ? bucket.serviceId().toString() : null);

    private static final Shape<BackupProof> PROOF = f -> new BackupProof(
            f.get("at", BackupProof::at, INSTANT, f.head.createdAt()),
            f.choice("outcome", BackupProof::outcome, BackupProof.Outcome.UNTRIED),
            f.get("parts", BackupProof::parts, LARGE_NUMBER, 0L),
            f.get("rows", BackupProof::rows, LARGE_NUMBER, 0L),
            f.find("problem", BackupProof::problem, TEXT));

    /** Good ones are counted under their organization. */
    static final Rows<Backup> BACKUPS = Rows.of(
                    Backup.KIND,
                    f -> new Backup(
                            f.head,
                            f.get("organizationId", Backup::organizationId, ID, f.head.ownerId()),
                            f.choice("trigger", Backup::trigger, Backup.Trigger.DEMAND),
                            f.get("region", Backup::region, TEXT, ""),
                            f.find("tier", Backup::tier, TEXT),
                            f.get("retentionHours", Backup::retentionHours, NUMBER, STANDARD.retentionHours()),
                            f.choice("state", Backup::state, Backup.State.FAILED),
                            f.find("endedAt", Backup::endedAt, INSTANT),
                            new Archive(
                                    Long.parseLong(f.get(
                                            "sizeInBytes", backup -> Long.toString(backup.sizeInBytes()), TEXT, "0")),
                                    f.find("sha256", backup -> backup.archive().sha256(), TEXT)),
                            f.find("trouble", Backup::trouble, TEXT),
                            f.list("restoring", Backup::restoring, ID),
                            f.find("bucketId", Backup::bucketId, ID),
                            f.find("proof", Backup::proof, PROOF)))
            .countedUnder(backup -> backup.isGood() ? backup.organizationId().toString() : null);

    static final Rows<Host> HOSTS = Rows.of(
            Host.KIND,
            f -> new Host(
                    f.head,
                    f.get("name", Host::name, TEXT, ""),
                    f.get("address", Host::address, TEXT, ""),
                    f.get(
                            "room",
                            Host::room,
                            r -> new Host.Room(
                                    r.get("databases", Host.Room::databases, LARGE_NUMBER, 0L),
                                    r.get("firstPort", Host.Room::firstPort, NUMBER, 0),
                                    r.get("lastPort", Host.Room::lastPort, NUMBER, 0))),
                    f.get("since", Host::since, INSTANT, f.head.createdAt()),
                    f.get("seenAt", Host::seenAt, INSTANT, f.head.createdAt()),
                    f.get("draining", Host::draining, FLAG, false),
                    f.get("missed", Host::missed, FLAG, false)));

    private ServiceRows() {}
}
