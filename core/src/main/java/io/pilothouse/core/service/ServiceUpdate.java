package io.pilothouse.core.service;

import io.pilothouse.core.base.AccessRules;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.RuleBook;
import java.util.ArrayList;
import java.util.List;

/** Decides what an update makes of a service; pure. The activity types name each thing that really changed. */
public record ServiceUpdate(Service next, List<String> activityTypes) {

    /** Makes the checks that need no service, so that a bad request is refused before anything is looked up. */
    public static void check(ServiceChange change, RuleBook rules, Faults faults) {
        AccessRules access = new AccessRules(faults);
        rules.serviceName().check("name", change.name(), faults);
        RuleBook.RELEASE_CHANNELS.check("releaseChannel", change.releaseChannel(), faults);
        if (change.transparentDataEncryptionKeyId() != null) {
            access.checkIdentifier("transparentDataEncryptionKeyId", change.transparentDataEncryptionKeyId());
        }
        if (change.ipAccessList() != null) {
            access.change(List.of(), change.ipAccessList());
        }
        if (change.privateEndpointIds() != null) {
            access.changeEndpoints(List.of(), change.privateEndpointIds());
        }
        if (change.tags() != null) {
            access.changeTags(List.of(), change.tags());
        }
        access.mysql(change.endpoints(), false, true);
        ServiceFields.check(change.fields(), faults);
    }

    /** Applies a checked change to the service as it is now. */
    public static ServiceUpdate of(Service service, ServiceChange change, Faults faults) {
        AccessRules accessRules = new AccessRules(faults);
        Access access = service.access();
        Access newAccess = new Access(
                change.ipAccessList() == null
                        ? access.ipAccessList()
                        : accessRules.change(access.ipAccessList(), change.ipAccessList()),
                change.privateEndpointIds() == null
                        ? access.privateEndpointIds()
                        : accessRules.changeEndpoints(access.privateEndpointIds(), change.privateEndpointIds()),
                accessRules.mysql(
                        change.endpoints(), access.mysql(), service.seen().speaks(RuleBook.SWITCHED_PROTOCOL)),
                access.ports());
        Service.Details was = service.details();
        String channel = change.releaseChannel() == null ? was.releaseChannel() : change.releaseChannel();
        if (change.releaseChannel() != null && service.placement().development()) {
            faults.add("releaseChannel", "cannot be set for a development service");
        }
        Service.Details details = new Service.Details(
                change.name() == null ? was.name() : change.name(),
                encryption(service, change, faults),
                channel,
                change.tags() == null ? was.tags() : accessRules.changeTags(was.tags(), change.tags()),
                ServiceFields.change(change.fields(), was.fields(), faults));
        Service next = service.withDetails(details).withAccess(newAccess);
        return new ServiceUpdate(next, differences(service, next));
    }

    private static Encryption encryption(Service service, ServiceChange change, Faults faults) {
        Encryption current = service.details().encryption();
        String keyId = change.transparentDataEncryptionKeyId();
        if (keyId == null || keyId.equals(service.transparentDataEncryptionKeyId())) {
            return current;
        }
        if (!current.transparent()) {
            faults.add("transparentDataEncryptionKeyId", "needs a service with transparent data encryption");
        }
        return new Encryption(current.key(), current.assumedRoleIdentifier(), current.transparent(), keyId);
    }

    private static List<String> differences(Service before, Service after) {
        List<String> types = new ArrayList<>();
        addIf(!before.name().equals(after.name()), "service_update_name", types);
        addIf(
                !before.access().ipAccessList().equals(after.access().ipAccessList()),
                "service_update_ip_access_list",
                types);
        addIf(
                !before.access().privateEndpointIds().equals(after.access().privateEndpointIds()),
                "service_update_private_endpoints",
                types);
        addIf(
                !before.details().releaseChannel().equals(after.details().releaseChannel()),
                "service_update_release_channel",
                types);
        addIf(before.access().mysql() != after.access().mysql(), "service_update_endpoints", types);
        addIf(
                !before.details().encryption().equals(after.details().encryption()),
                "service_update_encryption_key",
                types);
        addIf(!before.details().tags().equals(after.details().tags()), "service_update_tags", types);
        types.addAll(ServiceFields.differences(
                before.details().fields(), after.details().fields()));
        return types;
    }

    private static void addIf(boolean changed, String type, List<String> types) {
        if (changed) {
            types.add(type);
        }
    }
}
