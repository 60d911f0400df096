import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGateway } from "../../gateway/index.ts";
import { systemClock } from "../../gateway/lib/clock.ts";
import { silentLog, type Log } from "../../gateway/lib/log.ts";
import { fileSealer } from "../../gateway/store/data-key.ts";
import { fixtures } from "./fixtures/extension.ts";
import { startKeyProxy } from "./key-proxy.ts";

/** A gateway for the conformance suite. */
export interface ConformanceServer {
  /** `http://127.0.0.1:49152/mcp`: the gateway itself, which wants the key. */
  readonly url: string;
  readonly key: string;
  /** The same through the proxy that adds the key: what the suite is pointed at. */
  readonly suiteUrl: string;
  close(): Promise<void>;
}

/** The real gateway on a free port and a fresh data folder, with the suite's fixtures next to its own tools. */
export async function startConformanceServer(log: Log = silentLog): Promise<ConformanceServer> {
  const dataDir = await mkdtemp(join(tmpdir(), "postern-conformance-"));
  const key = "sk-conformance-suite-key-0001";
  const gateway = await createGateway({
    dataDir,
    host: "127.0.0.1",
    port: 0,
    env: { POSTERN_KEYS: JSON.stringify([{ key, name: "conformance" }]) },
    sealer: fileSealer(),
    assetsDir: null,
    version: "0.0.0-test",
    clock: systemClock,
    log,
    extendMcp: fixtures,
  });
  const proxy = await startKeyProxy(gateway.url, key);
  return {
    url: `${gateway.url}/mcp`,
    key,
    suiteUrl: `${proxy.url}/mcp`,
    close: async () => {
      await proxy.close();
      await gateway.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

// By hand: `node test/conformance/server.ts`, then the suite against the printed `suiteUrl`.
if (import.meta.main) {
  const server = await startConformanceServer();
  const { url, key, suiteUrl } = server;
  console.log(JSON.stringify({ url, key, suiteUrl }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void server.close());
}
