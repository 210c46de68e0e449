package io.pilothouse.http.helidon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.port.Page;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.right.Permission;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.wire.Listing;
import io.pilothouse.http.wire.PagesAhead;
import io.pilothouse.http.wire.Route;
import io.pilothouse.http.wire.Verb;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ListingTest {
    private static final Table.Cursor NEXT = new Table.Cursor(Instant.EPOCH, new UUID(0, 1));
    private final List<Integer> pagesRead = new CopyOnWriteArrayList<>();

    private interface Pages {
        Page<Integer> read(int page);
    }

    private Route list(Pages pages) {
        return route(request -> {
            pagesRead.clear();
            return Listing.answer(request, ahead(pages), ListingTest::write);
        });
    }

    private static Route route(Route.Handler handler) {
        return new Route("list", Verb.GET, "/v1/things", Permission.SERVICE_READ, handler);
    }

    private Listing.Pages<Integer> ahead(Pages pages) {
        return new PagesAhead<>(Thread::startVirtualThread, after -> next(pages, after));
    }

    private Page<Integer> next(Pages pages, Table.@Nullable Cursor after) {
        assertThat(after == null).isEqualTo(pagesRead.isEmpty());
        pagesRead.add(pagesRead.size());
        return pages.read(pagesRead.size());
    }

    private static void write(JsonWriter out, Integer item) {
        out.startObject();
        out.whole("n", item);
        out.endObject();
    }

    private static RawClient.Reply ask(RawClient client) throws IOException {
        return client.send("GET /v1/things HTTP/1.1\r\nHost: a\r\n" + TestHouse.GOOD + "\r\n")
                .read();
    }

    @Test
    void oneShortPageIsOneWholeAnswer() throws IOException {
        try (TestHouse house = TestHouse.of(list(page -> new Page<>(List.of(1, 2), null)));
                RawClient client = house.client()) {
            RawClient.Reply reply = ask(client);
            assertThat(reply.body()).endsWith("\"result\":[{\"n\":1},{\"n\":2}]}");
            assertThat(reply.header("Content-Length"))
                    .isEqualTo(Integer.toString(reply.body().length()));
        }
    }

    @Test
    void manyPagesAreOneListEvenWhereSomeAreEmpty() throws IOException {
        try (TestHouse house = TestHouse.of(
                        list(page -> new Page<>(page % 3 == 0 ? List.of() : numbers(page), page < 10 ? NEXT : null)));
                RawClient client = house.client()) {
            for (int time = 0; time < 2; time++) {
                RawClient.Reply reply = ask(client);
                assertThat(reply.status()).isEqualTo(200);
                assertThat(reply.body()).startsWith("{\"status\":200,").endsWith("]}");
                assertThat(reply.body().split("\\{\"n\":", -1)).hasSize(7 * 500 + 1);
                assertThat(pagesRead).hasSize(10);
            }
        }
    }

    @Test
    void onePageAndNoMoreIsReadWhileTheOneBeforeIsWritten() throws IOException {
        CountDownLatch secondIsRead = new CountDownLatch(1);
        Listing.Pages<Integer> pages = ahead(page -> {
            if (page == 2) {
                secondIsRead.countDown();
            }
            return new Page<>(List.of(page), page < 5 ? NEXT : null);
        });
        Route list = route(request -> Listing.answer(request, pages, (out, item) -> {
            assertThat(arrived(secondIsRead)).isTrue();
            assertThat(pagesRead).hasSizeLessThanOrEqualTo(item + 1);
            write(out, item);
        }));
        try (TestHouse house = TestHouse.of(list);
                RawClient client = house.client()) {
            assertThat(ask(client).body()).endsWith("\"result\":[{\"n\":1},{\"n\":2},{\"n\":3},{\"n\":4},{\"n\":5}]}");
        }
    }

    private static boolean arrived(CountDownLatch latch) {
        try {
            return latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void aCollectionThatIsNotReadAheadIsTheSame() throws IOException {
        Route list = route(request -> Listing.<Integer>answer(
                request,
                after -> next(page -> new Page<>(List.of(page), page < 3 ? NEXT : null), after),
                ListingTest::write));
        try (TestHouse house = TestHouse.of(list);
                RawClient client = house.client()) {
            assertThat(ask(client).body()).endsWith("\"result\":[{\"n\":1},{\"n\":2},{\"n\":3}]}");
        }
    }

    @Test
    void aBareCollectionIsAnArrayWhateverItsLength() throws IOException {
        for (int length = 0; length < 4; length += 3) {
            int last = length;
            Route list = route(_ -> {
                pagesRead.clear();
                return Listing.bare(
                        ahead(page -> new Page<>(last == 0 ? List.of() : List.of(page), page < last ? NEXT : null)),
                        ListingTest::write);
            });
            try (TestHouse house = TestHouse.of(list);
                    RawClient client = house.client()) {
                assertThat(ask(client).body()).isEqualTo(last == 0 ? "[]" : "[{\"n\":1},{\"n\":2},{\"n\":3}]");
            }
        }
    }

    private static List<Integer> numbers(int page) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            numbers.add(page * 1000 + i);
        }
        return numbers;
    }

    @Test
    void aFirstPageThatFailsIsAnErrorLikeAnyOther() throws IOException {
        try (TestHouse house = TestHouse.of(list(page -> {
                    throw new StoreUnavailable("gone", new IOException());
                }));
                RawClient client = house.client()) {
            assertThat(ask(client).status()).isEqualTo(503);
        }
    }

    @Test
    void aLaterPageThatFailsBreaksTheAnswerOff() throws IOException {
        try (TestHouse house = TestHouse.of(list(page -> {
                    if (page < 30) {
                        return new Page<>(numbers(page), NEXT);
                    }
                    throw new StoreUnavailable("gone", new IOException());
                }));
                RawClient client = house.client()) {
            assertThatThrownBy(() -> ask(client)).isInstanceOf(IOException.class);
            assertThat(house.onlyRecord().status()).isEqualTo(500);
            assertThat(house.failures).singleElement().isInstanceOf(StoreUnavailable.class);
        }
    }
}
