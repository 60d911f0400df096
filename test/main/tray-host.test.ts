import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readBus } from "../../main/policy/bus-message.ts";
import { watchTrayHost, type TrayHostWatch } from "../../main/tray-host.ts";

/** Whether the desktop of the test has a tray; null while no one has the name. */
let host: boolean | null = null;
let folder: string;
let server: Server;
let clients: Socket[] = [];
let watch: TrayHostWatch | null = null;

function send(client: Socket, kind: number, body: readonly number[]): void {
  const header = Buffer.alloc(16);
  header.set([0x6c, kind, 0, 1, body.length]);
  client.write(Buffer.from([...header, ...body]));
}
const signal = (): void => {
  for (const client of clients) send(client, 4, []);
};

/** As a bus: a greeting, then a response to each call; the fourth and each later one is the question. */
function talk(client: Socket, greeting: string): void {
  clients.push(client);
  let calls = 0;
  let rest = Buffer.alloc(0);
  client.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    if (rest[0] === 0) {
      expect(rest.toString("latin1")).toBe("\0AUTH EXTERNAL 31303030\r\n");
      rest = Buffer.alloc(0);
      client.write(greeting);
      return;
    }
    const begin = "BEGIN\r\n";
    if (rest.subarray(0, begin.length).toString("latin1") === begin) rest = rest.subarray(begin.length);
    const read = readBus(rest);
    rest = Buffer.from(read.rest);
    for (const { kind } of read.messages) {
      expect(kind).toBe("call");
      calls += 1;
      if (calls <= 3) send(client, 2, []);
      else if (host === null) send(client, 3, []);
      else send(client, 2, [1, 0x62, 0, 0, host ? 1 : 0, 0, 0, 0]);
    }
  });
}

const env = () => ({ DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(folder, "bus")}` });
const listen = async (greeting = "OK 0123\r\n"): Promise<void> => {
  server = createServer((client) => talk(client, greeting));
  await new Promise<void>((resolve) => server.listen(join(folder, "bus"), resolve));
};
const start = async (): Promise<TrayHostWatch> => {
  watch = await watchTrayHost({ platform: "linux", env: env(), user: 1000 });
  return watch;
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-bus-"));
  server = createServer();
  clients = [];
  host = null;
});
afterEach(async () => {
  watch?.end();
  for (const client of clients) client.destroy();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

describe("the watch for a tray", () => {
  it("sees one that is there, and says nothing more of it", async () => {
    host = true;
    await listen();
    const { isThere, onFirst } = await start();
    const came = vi.fn<() => void>();
    onFirst(came);
    expect(isThere()).toBe(true);
    // Electron follows one that goes and comes back.
    host = null;
    signal();
    await expect.poll(isThere).toBe(false);
    host = true;
    signal();
    await expect.poll(isThere).toBe(true);
    expect(came).not.toHaveBeenCalled();
  });

  it.each([[null], [false]])("reports one that comes later, once (%j before)", async (before) => {
    host = before;
    await listen();
    const { isThere, onFirst } = await start();
    const came = vi.fn<() => void>();
    onFirst(came);
    expect(isThere()).toBe(false);
    host = true;
    signal();
    signal();
    await expect.poll(isThere).toBe(true);
    expect(came).toHaveBeenCalledOnce();
  });

  it("goes with the bus", async () => {
    host = true;
    await listen();
    const { isThere } = await start();
    clients[0]?.destroy();
    await expect.poll(isThere).toBe(false);
  });

  it("finds none where the bus lets no one in, and where there is no bus", async () => {
    await listen("REJECTED EXTERNAL\r\n");
    expect((await start()).isThere()).toBe(false);
    server.close();
    await rm(join(folder, "bus"), { force: true });
    expect((await start()).isThere()).toBe(false);
    expect((await watchTrayHost({ platform: "linux", env: {}, user: 1000 })).isThere()).toBe(false);
  });

  it("does not wait for ever for a bus that says nothing", async () => {
    await listen("");
    expect((await start()).isThere()).toBe(false);
  });

  it("is not needed on other systems", async () => {
    const other = await watchTrayHost({ platform: "win32", env: env(), user: undefined });
    expect(other.isThere()).toBe(true);
  });
});
