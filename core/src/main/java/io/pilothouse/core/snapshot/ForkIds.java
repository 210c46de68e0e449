package io.pilothouse.core.snapshot;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.alert.Alert;
import io.pilothouse.core.alert.AlertBuiltIns;
import io.pilothouse.core.alert.AlertEvaluation;
import io.pilothouse.core.base.RowIds;
import io.pilothouse.core.item.Item;
import io.pilothouse.core.member.MemberKind;
import io.pilothouse.core.part.PartKind;
import io.pilothouse.core.part.ScalingSchedule;
import io.pilothouse.core.part.ServicePart;
import io.pilothouse.core.part.UpgradeWindow;
import io.pilothouse.core.pipe.PipeRange;
import io.pilothouse.core.port.KeptRow;
import io.pilothouse.core.privateendpoint.PrivateEndpointUse;
import io.pilothouse.core.query.QueryEndpoint;
import io.pilothouse.core.service.Service;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The ids that the things of an organization have in its copy. Most are new; those that follow from something else, so
 * that a thing is found without a search, follow from the same of the copy. An id that is known here is replaced
 * wherever it stands in a text.
 */
final class ForkIds {
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final List<PartKind> PARTS =
            List.of(new ScalingSchedule(), new UpgradeWindow(), new QueryEndpoint());
    private static final int DERIVED = 3;

    private final Snapshots forms;
    private final Instant now;
    private final UUID organizationId;
    private final Map<String, String> known = new HashMap<>();

    ForkIds(Snapshots forms, UUID origin, Instant now, List<KeptRow> things) {
        this.forms = forms;
        this.now = now;
        this.organizationId = draw(origin);
        things.stream().filter(row -> !isDerived(row)).forEach(this::draw);
        // They follow from ids that are known by now.
        things.stream().filter(ForkIds::isDerived).forEach(this::derive);
    }

    UUID organizationId() {
        return organizationId;
    }

    /** Whose id is not one that was drawn. */
    private static boolean isDerived(KeptRow row) {
        return UUID.fromString(row.text(KeptRow.ID)).version() == DERIVED;
    }

    private void draw(KeptRow row) {
        // Nothing refers to a line of the history, and the first line of a store has an id that means other things too.
        if (!row.table().equals(Activity.KIND.table())) {
            draw(UUID.fromString(row.text(KeptRow.ID)));
        }
        if (row.table().equals(Service.KIND.table())) {
            draw(forms.read(Service.KIND, row).warehouse().id());
        }
    }

    private UUID draw(UUID id) {
        return UUID.fromString(
                known.computeIfAbsent(id.toString(), _ -> RowIds.at(now).toString()));
    }

    private void derive(KeptRow row) {
        if (!known.containsKey(row.text(KeptRow.ID))) {
            UUID id = derived(row).orElseGet(() -> RowIds.at(now));
            known.put(row.text(KeptRow.ID), id.toString());
        }
    }

    private Optional<UUID> derived(KeptRow row) {
        UUID owner = of(UUID.fromString(row.text(KeptRow.OWNER)));
        Map<String, Function<KeptRow, Optional<UUID>>> ways = Map.of(
                ServicePart.KIND.table(), part -> part(part, owner),
                PrivateEndpointUse.KIND.table(), use -> Optional.of(use(forms.read(PrivateEndpointUse.KIND, use))),
                Item.KIND.table(), item -> MemberKind.idIn(owner, forms.read(Item.KIND, item)),
                Alert.KIND.table(), alert -> Optional.of(alert(forms.read(Alert.KIND, alert))),
                AlertEvaluation.KIND.table(), line -> Optional.of(line(forms.read(AlertEvaluation.KIND, line), owner)),
                PipeRange.KIND.table(),
                        range -> Optional.of(PipeRange.id(
                                owner, forms.read(PipeRange.KIND, range).part())));
        return ways.getOrDefault(row.table(), _ -> Optional.empty()).apply(row);
    }

    private static Optional<UUID> part(KeptRow row, UUID owner) {
        UUID before = UUID.fromString(row.text(KeptRow.OWNER));
        return PARTS.stream()
                .filter(kind -> ServicePart.idOf(before, kind).toString().equals(row.text(KeptRow.ID)))
                .map(kind -> ServicePart.idOf(owner, kind))
                .findFirst();
    }

    private UUID use(PrivateEndpointUse use) {
        return PrivateEndpointUse.idOf(of(use.serviceId()), use.endpointId());
    }

    private UUID alert(Alert alert) {
        return AlertBuiltIns.idOf(organizationId, alert.rule().tileId());
    }

    private static UUID line(AlertEvaluation line, UUID alertId) {
        return AlertEvaluation.idOf(alertId, line.window(), line.group());
    }

    /** The id in the copy; the same where the thing is not in it. */
    UUID of(UUID id) {
        String found = known.get(id.toString());
        return found == null ? id : UUID.fromString(found);
    }

    /** The row as it is in the copy. */
    KeptRow in(KeptRow row) {
        KeptRow copy = row.with(
                text -> ID.matcher(text).replaceAll(found -> known.getOrDefault(found.group(), found.group())));
        return row.table().equals(Activity.KIND.table()) ? copy.withId(RowIds.at(now)) : copy;
    }
}
