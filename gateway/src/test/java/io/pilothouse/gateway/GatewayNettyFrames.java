package io.pilothouse.gateway;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpMessage;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Netty's codec, as most servers on the JVM have it. */
final class GatewayNettyFrames {
    private static final int MAX_BYTES = 1 << 20;
    private static final int MAX_ANSWERS = 16;
    private static final HttpDecoderConfig CONFIG = new HttpDecoderConfig()
            .setMaxInitialLineLength(MAX_BYTES)
            .setMaxHeaderSize(MAX_BYTES)
            .setMaxChunkSize(MAX_BYTES);

    private GatewayNettyFrames() {}

    static GatewayFramed of(boolean requests, byte[] stream) {
        return of(
                new EmbeddedChannel(requests ? new HttpRequestDecoder(CONFIG) : new HttpResponseDecoder(CONFIG)),
                stream);
    }

    /** A stream of answers to as many requests for heads as there are. */
    static GatewayFramed ofAnswersToHead(byte[] stream) {
        EmbeddedChannel channel = new EmbeddedChannel(new HttpClientCodec(
                CONFIG,
                HttpClientCodec.DEFAULT_PARSE_HTTP_AFTER_CONNECT_REQUEST,
                HttpClientCodec.DEFAULT_FAIL_ON_MISSING_RESPONSE));
        for (int count = 0; count < MAX_ANSWERS; count++) {
            channel.writeOutbound(new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.HEAD, "/"));
        }
        return of(channel, stream);
    }

    private static GatewayFramed of(EmbeddedChannel channel, byte[] stream) {
        List<String> whole = new ArrayList<>();
        StringBuilder open = new StringBuilder();
        GatewayFramed.End end = GatewayFramed.End.IDLE;
        try {
            channel.writeInbound(Unpooled.wrappedBuffer(stream));
            for (Object next = channel.readInbound(); next != null; next = channel.readInbound()) {
                HttpObject part = (HttpObject) next;
                if (part.decoderResult().isFailure()) {
                    ReferenceCountUtil.release(next);
                    return new GatewayFramed(GatewayFramed.End.REFUSED, whole);
                }
                if (part instanceof HttpMessage message) {
                    open.setLength(0);
                    open.append(start(message)).append(' ');
                    end = GatewayFramed.End.WAITING;
                }
                if (part instanceof HttpContent content) {
                    open.append(content.content().toString(StandardCharsets.ISO_8859_1));
                }
                if (part instanceof LastHttpContent || part instanceof FullHttpMessage) {
                    whole.add(open.toString());
                    end = GatewayFramed.End.IDLE;
                }
                ReferenceCountUtil.release(next);
            }
            return new GatewayFramed(end, whole);
        } finally {
            channel.finishAndReleaseAll();
        }
    }

    private static String start(HttpMessage message) {
        return message instanceof HttpRequest request
                ? request.method().name() + " " + request.uri()
                : Integer.toString(((HttpResponse) message).status().code());
    }
}
