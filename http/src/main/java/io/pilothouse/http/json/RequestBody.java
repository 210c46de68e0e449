package io.pilothouse.http.json;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.ListChange;
import io.pilothouse.core.base.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An object of a request, read by name and type. A member of the wrong type is collected with its path and reads as if
 * it were not given; so does null, which only {@link #given} distinguishes from absent. Unknown members are ignored.
 */
public final class RequestBody {
    /** More than any list of the contract may have; the rules say so themselves up to here. */
    static final int MAX_ITEMS = 2000;

    private final Tree.Members members;
    private final JsonPath path;
    private final Faults faults;

    public RequestBody(Tree.Members members, JsonPath path, Faults faults) {
        this.members = members;
        this.path = path;
        this.faults = faults;
    }

    /** Whether the member is present, even as null. */
    public boolean given(String name) {
        return members.values().containsKey(name);
    }

    /** The whole object, for the parts of the contract that are stored as they were sent. */
    public Tree.Members members() {
        return members;
    }

    public Tree.@Nullable Items items(String name) {
        Tree value = value(name);
        if (value instanceof Tree.Items items) {
            return items;
        }
        wrong(value, name, "must be an array");
        return null;
    }

    @Nullable
    public String text(String name) {
        Tree value = value(name);
        if (value instanceof Tree.Text text) {
            return text.value();
        }
        wrong(value, name, "must be a string");
        return null;
    }

    /** A required text; collected as missing and empty if it is absent. */
    public String requiredText(String name) {
        Tree value = value(name);
        if (value == null) {
            faults.add(path.member(name).text(), "is required");
        }
        String text = text(name);
        return text == null ? "" : text;
    }

    @Nullable
    public Double number(String name) {
        Tree value = value(name);
        if (value instanceof Tree.Figure number) {
            if (Double.isInfinite(number.value())) {
                wrong(value, name, "is too large a number");
                return null;
            }
            return number.value();
        }
        wrong(value, name, "must be a number");
        return null;
    }

    @Nullable
    public Boolean flag(String name) {
        Tree value = value(name);
        if (value instanceof Tree.Flag flag) {
            return flag.value();
        }
        wrong(value, name, "must be true or false");
        return null;
    }

    /** A required flag; collected as missing and false if it is absent. */
    public boolean requiredFlag(String name) {
        Tree value = value(name);
        if (value == null) {
            faults.add(path.member(name).text(), "is required");
        }
        return Boolean.TRUE.equals(flag(name));
    }

    @Nullable
    public UUID id(String name) {
        String text = text(name);
        if (text == null) {
            return null;
        }
        UUID id = Ids.parse(text);
        if (id == null) {
            faults.add(path.member(name).text(), "must be a UUID");
        }
        return id;
    }

    @Nullable
    public RequestBody object(String name) {
        Tree value = value(name);
        if (value instanceof Tree.Members inner) {
            return new RequestBody(inner, path.member(name), faults);
        }
        wrong(value, name, "must be an object");
        return null;
    }

    /** An array of texts; an item of another type is collected and reads as the empty text, in its place. */
    @Nullable
    public List<String> texts(String name) {
        Tree value = value(name);
        if (!(value instanceof Tree.Items items)) {
            wrong(value, name, "must be an array");
            return null;
        }
        JsonPath at = path.member(name);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < few(items, at).size(); i++) {
            if (items.values().get(i) instanceof Tree.Text text) {
                texts.add(text.value());
            } else {
                faults.addUnreadable(at.item(i).text(), "must be a string");
                texts.add("");
            }
        }
        return texts;
    }

    /** An object whose members are all texts. */
    @Nullable
    public Map<String, String> textMap(String name) {
        RequestBody object = object(name);
        if (object == null) {
            return null;
        }
        Map<String, String> texts = new LinkedHashMap<>();
        object.members.values().forEach((member, value) -> {
            if (value instanceof Tree.Text text) {
                texts.put(member, text.value());
            } else {
                faults.add(object.path.member(member).text(), "must be a string");
            }
        });
        return texts;
    }

    /**
     * An array of objects, each read by the function. An item that is not an object is collected and reads as an empty
     * one: rules name items by their places, so none may be left out.
     */
    public <T> @Nullable List<T> objects(String name, Function<RequestBody, T> read) {
        Tree value = value(name);
        if (!(value instanceof Tree.Items items)) {
            wrong(value, name, "must be an array");
            return null;
        }
        JsonPath at = path.member(name);
        List<T> objects = new ArrayList<>();
        for (int i = 0; i < few(items, at).size(); i++) {
            Tree item = items.values().get(i);
            if (!(item instanceof Tree.Members)) {
                faults.addUnreadable(at.item(i).text(), "must be an object");
            }
            Tree.Members inner = item instanceof Tree.Members members ? members : Tree.Members.NONE;
            objects.add(read.apply(new RequestBody(inner, at.item(i), faults)));
        }
        return objects;
    }

    /** A pair {@code {add, remove}} of objects. */
    public <T> @Nullable ListChange<T> objectsChange(String name, Function<RequestBody, T> read) {
        RequestBody pair = object(name);
        return pair == null ? null : change(pair.objects("add", read), pair.objects("remove", read));
    }

    /** A pair {@code {add, remove}} of texts. */
    @Nullable
    public ListChange<String> textsChange(String name) {
        RequestBody pair = object(name);
        return pair == null ? null : change(pair.texts("add"), pair.texts("remove"));
    }

    private static <T> ListChange<T> change(@Nullable List<T> add, @Nullable List<T> remove) {
        return new ListChange<>(add == null ? List.of() : add, remove == null ? List.of() : remove);
    }

    private List<Tree> few(Tree.Items items, JsonPath at) {
        if (items.values().size() <= MAX_ITEMS) {
            return items.values();
        }
        faults.add(at.text(), "has far too many entries");
        return List.of();
    }

    private @Nullable Tree value(String name) {
        Tree value = members.values().get(name);
        return value instanceof Tree.Nothing ? null : value;
    }

    /** Collects a value of the wrong type; an absent one is not collected. */
    private void wrong(@Nullable Tree value, String name, String message) {
        if (value != null) {
            faults.add(path.member(name).text(), message);
        }
    }
}
