"""Frames HTTP with llhttp, the parser of Node. Reads cases from standard input and writes one line for each.

A case is a letter (q: requests, a: answers), its length in four bytes and its bytes; a case of length zero asks for the
lines so far. A line is how it ended, then each message in hexadecimal.
"""
import sys

from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser, HttpResponseParser


class Messages:
    def __init__(self):
        self.whole = []
        self.url = b""
        self.body = b""
        self.open = False
        self.parser = None

    def on_message_begin(self):
        self.url = b""
        self.body = b""
        self.open = True

    def on_url(self, piece):
        self.url += piece

    def on_body(self, piece):
        self.body += piece

    def on_message_complete(self):
        self.open = False
        self.whole.append(self.start() + b" " + self.body)


class Requests(Messages):
    def start(self):
        return self.parser.get_method() + b" " + self.url


class Answers(Messages):
    def start(self):
        return b"%d" % self.parser.get_status_code()


def framed(kind, data):
    messages = Requests() if kind == b"q" else Answers()
    messages.parser = HttpRequestParser(messages) if kind == b"q" else HttpResponseParser(messages)
    try:
        messages.parser.feed_data(data)
        end = "WAITING" if messages.open else "IDLE"
    except HttpParserUpgrade:
        # How the last one goes on depends on whether its server switches protocols, which databases never do.
        del messages.whole[-1:]
        end = "CLOSED"
    except HttpParserError:
        end = "REFUSED"
    return " ".join([end] + [each.hex() for each in messages.whole])


def main():
    source = sys.stdin.buffer
    lines = []
    while True:
        header = source.read(5)
        if len(header) < 5:
            return
        length = int.from_bytes(header[1:], "big")
        if length == 0:
            sys.stdout.write("".join(line + "\n" for line in lines))
            sys.stdout.flush()
            lines = []
        else:
            lines.append(framed(header[:1], source.read(length)))


main()
