// Runs the checks of a client over stdio and over HTTP.

import { checkServer } from './client_checks.mjs';
import { startHttpServer } from './reference_server.mjs';

/// `connections` make a party for checkServer: `stdio(command, arguments)` and `http(url)`. Returns
/// how many checks failed.
export async function checkOverBoth(title, program, connections) {
  return await check(`${title}, stdio`, () => connections.stdio(program, [])) +
    await check(`${title}, http`, async () => {
      const server = await startHttpServer(program);
      const party = await connections.http(server.url);
      return { ...party, ended: () => server.stop() };
    });
}

async function check(title, connect) {
  try {
    const { ended, ...party } = await connect();
    const failures = await checkServer({ title, ...party });
    await party.client.close();
    await ended?.();
    return failures;
  } catch (error) {
    console.log(`not ok ${title}: ${error.message}`);
    return 1;
  }
}
