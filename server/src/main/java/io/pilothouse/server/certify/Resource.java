package io.pilothouse.server.certify;

import io.pilothouse.core.base.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A resource of a state, as {@code show -json} has it. */
record Resource(String address, String provider, Tree.Members values, Tree marks) {
    /** Those that were made, by the module and by the modules in it; without what is only read. */
    static List<Resource> of(Tree.Members state) {
        return state.members("values")
                .flatMap(values -> values.members("root_module"))
                .map(Resource::within)
                .orElse(List.of());
    }

    private static List<Resource> within(Tree.Members module) {
        List<Resource> all = new ArrayList<>();
        for (Tree.Members resource : module.objects("resources")) {
            if (resource.text("mode").equals(Optional.of("managed"))) {
                all.add(new Resource(
                        resource.text("address").orElse("?"),
                        resource.text("provider_name").orElse(""),
                        resource.members("values").orElse(Tree.Members.NONE),
                        resource.find("sensitive_values").orElse(new Tree.Nothing())));
            }
        }
        module.objects("child_modules").forEach(child -> all.addAll(within(child)));
        return all;
    }

    /** Whether it is a thing of the API; what others keep only in the state is not there to be imported. */
    boolean isOfClickHouse() {
        return provider.endsWith("/clickhouse/clickhouse");
    }

    /** The names that its provider may import it by, the likeliest first. */
    List<String> importIds() {
        Optional<String> id = values.text("id");
        Optional<String> service = values.text("service_id");
        Stream<String> both = id.isPresent() && service.isPresent() && !id.equals(service)
                ? Stream.of(service.get() + ":" + id.get())
                : Stream.empty();
        return Stream.of(both, id.stream(), service.stream())
                .flatMap(each -> each)
                .distinct()
                .toList();
    }
}
