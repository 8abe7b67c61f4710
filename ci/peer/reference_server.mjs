// The reference server over HTTP, as a child of this program.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const announcement = /^listening on (http:\S+)$/;

// Ending on a signal must not leave the child behind.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/// Starts `program` on a free port. Returns `url` and `stop()`, which ends it and throws unless it
/// ended well. What it says on stderr is passed on.
export async function startHttpServer(program, args = []) {
  const child = spawn(program, ['--transport', 'http', '--port', '0', ...args], {
    stdio: ['ignore', 'inherit', 'pipe']
  });
  const ended = once(child, 'exit');
  process.once('exit', () => child.kill('SIGKILL'));

  const url = await new Promise((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const match = announcement.exec(line);
      if (match) resolve(match[1]);
      else console.error(`server: ${line}`);
    });
    ended.then(([code, signal]) => reject(new Error(`the server ended with ${code ?? signal}`)),
      reject);
  });
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      const [code, signal] = await ended;
      if (code !== 0) throw new Error(`the server ended with ${code ?? signal}`);
    }
  };
}
