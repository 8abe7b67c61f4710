// HTTP/1.1 as it was recorded from one connection, taken apart afterwards (RFC 9112). Streams that
// one side has cut off count with as much as had arrived.

const headEnd = Buffer.from('\r\n\r\n');

/// Returns, in order, `{request, response}`: `request` has `method`, `path`, `headers` (names in
/// lower case) and `body`; `response` has `status`, `headers` and `body`, or is undefined where none
/// came.
export function exchangesOf(sent, received) {
  const requests = new Reader(sent);
  const responses = new Reader(received);
  const exchanges = [];
  for (;;) {
    const head = requests.head();
    if (!head) return exchanges;
    const [method, path] = head.startLine.split(' ');
    const body = requests.body(head.headers, false);
    exchanges.push({
      request: { method, path, headers: head.headers, body },
      response: responseTo(method, responses)
    });
  }
}

function responseTo(method, responses) {
  for (;;) {
    const head = responses.head();
    if (!head) return undefined;
    const status = Number(head.startLine.split(' ')[1]);
    if (status < 200) continue;
    const bodyless = method === 'HEAD' || status === 204 || status === 304;
    return { status, headers: head.headers, body: bodyless ? '' : responses.body(head.headers, true) };
  }
}

class Reader {
  #bytes;
  #at = 0;

  constructor(bytes) { this.#bytes = bytes; }

  head() {
    const end = this.#bytes.indexOf(headEnd, this.#at);
    if (end < 0) return undefined;
    const [startLine, ...lines] = this.#bytes.toString('latin1', this.#at, end).split('\r\n');
    this.#at = end + headEnd.length;
    const headers = {};
    for (const line of lines) {
      const colon = line.indexOf(':');
      headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
    }
    return { startLine, headers };
  }

  body(headers, untilClosed) {
    if (/\bchunked\b/i.test(headers['transfer-encoding'] ?? '')) return this.#chunks();
    if (headers['content-length'] !== undefined) return this.#take(Number(headers['content-length'])).toString();
    return untilClosed ? this.#take(Infinity).toString() : '';
  }

  #take(size) {
    const taken = this.#bytes.subarray(this.#at, this.#at + size);
    this.#at += taken.length;
    return taken;
  }

  #chunks() {
    const chunks = [];
    for (;;) {
      const lineEnd = this.#bytes.indexOf('\r\n', this.#at);
      if (lineEnd < 0) break;
      const size = parseInt(this.#bytes.toString('latin1', this.#at, lineEnd), 16);
      this.#at = lineEnd + 2;
      if (size === 0) {
        this.#at += 2;
        break;
      }
      chunks.push(this.#take(size));
      this.#at += 2;
    }
    return Buffer.concat(chunks).toString();
  }
}

/// The `data` of each event of an event stream (WHATWG HTML, "Server-sent events"). The last event
/// counts only if the blank line behind it has arrived.
export function eventsOf(text) {
  const events = text.split(/\r\n\r\n|\n\n|\r\r/).slice(0, -1);
  return events.map((event) => event.split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).replace(/^ /, ''))
    .join('\n')).filter((data) => data !== '');
}
