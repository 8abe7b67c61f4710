// Stands between client and server and keeps every byte. It works on TCP, below HTTP, so that the
// server sees exactly what the client wrote: spaces around header values, aborted requests, all.

import { once } from 'node:events';
import net from 'node:net';

import { exchangesOf } from './http_exchanges.mjs';

/// Listens on a free port for what is meant for `target`, a URL. `url` is the URL to use instead;
/// `exchanges()` is what was said so far, as http_exchanges.mjs has it; `stop()` ends it all.
export async function startRecorder(target) {
  const { hostname, port, pathname } = new URL(target);
  const connections = [];
  const open = new Set();

  const listener = net.createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const server = net.connect({ host: hostname, port, allowHalfOpen: true, noDelay: true });
    const recorded = { sent: [], received: [] };
    connections.push(recorded);
    carry(client, server, recorded.sent);
    carry(server, client, recorded.received);
  });
  function carry(from, to, chunks) {
    open.add(from);
    from.on('data', (chunk) => chunks.push(chunk));
    from.on('error', () => to.destroy());
    from.on('close', () => { open.delete(from); to.destroySoon(); });
    from.pipe(to);
  }

  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    url: `http://127.0.0.1:${listener.address().port}${pathname}`,
    exchanges: () => connections.flatMap(({ sent, received }) =>
      exchangesOf(Buffer.concat(sent), Buffer.concat(received))),
    async stop() {
      const closed = once(listener, 'close');
      listener.close();
      for (const socket of open) socket.destroy();
      await closed;
    }
  };
}
