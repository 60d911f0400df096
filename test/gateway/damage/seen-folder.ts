import type { State } from "../../../gateway/contract/control.ts";
import type { BackupsView } from "../../../gateway/contract/maintenance.ts";
import { startGateway, type TestGateway } from "../../support/running-gateway.ts";
import { taskId } from "../../support/tasks.ts";

/** What an owner sees of the folder. */
export interface Seen {
  readonly keys: string;
  readonly receipts: string;
  readonly connection: string;
  readonly tasks: number;
  readonly results: string;
  readonly backups: number;
  readonly recorded: boolean;
}

/** What `makeWholeFolder` put into it. */
export const EVERYTHING: Seen = {
  keys: "abc",
  receipts: "req_1 req_2 req_3",
  connection: "Mine: ready",
  tasks: 3,
  results: "A boat for media_3, A boat for media_2, A boat for media_1",
  backups: 1,
  recorded: true,
};

export interface Start {
  readonly seen: Seen;
  readonly notices: readonly string[];
}

/** What a start on the folder shows. */
export async function start(dataDir: string): Promise<Start> {
  const gateway = await startGateway({ dataDir });
  try {
    const seen = await seenOf(gateway);
    const { notices } = await gateway.ask<State>("GET", "/state");
    // A notice about the clock has its minute, which may be another one at the next start.
    const plain = (message: string): string =>
      message.replaceAll(dataDir, "DIR").replace(/says [\d-]+ [\d:]+ UTC/, "says NOW");
    return { seen, notices: notices.map(({ message }) => plain(message)) };
  } finally {
    await gateway.stop();
  }
}

/** No one responds at its address here; whether that has been noticed by now is no matter. */
const usable = (state: string | undefined): string | undefined => (state === "failed" ? "ready" : state);

async function seenOf(gateway: TestGateway): Promise<Seen> {
  const list = async <T>(path: string): Promise<readonly T[]> =>
    (await gateway.ask<{ data: readonly T[] }>("GET", path)).data;
  const keys = await list<{ id: string }>("/keys");
  const connections = await list<{ name: string; credentials: { state: string }[] }>("/connections");
  const results = await list<{ origin: { prompt: string } | null }>("/media");
  const { recording } = await gateway.ask<{ recording?: unknown }>("GET", "/requests/req_1").catch(() => ({
    recording: undefined,
  }));
  // The archive is opened in the background; one who asks for one of its tasks waits for it.
  await gateway.control("GET", `/tasks/${taskId(99)}`);
  return {
    keys: keys
      .map(({ id }) => id)
      .filter((id) => id.length === 1)
      .toSorted((a, b) => a.localeCompare(b))
      .join(""),
    receipts: (await gateway.receipts())
      .map(({ id }) => id)
      .toSorted((a, b) => a.localeCompare(b))
      .join(" "),
    connection: connections.map(({ name, credentials }) => `${name}: ${usable(credentials[0]?.state)}`).join(),
    tasks: (await gateway.ask<{ total: number }>("GET", "/tasks")).total,
    results: results.map(({ origin }) => origin?.prompt).join(", "),
    backups: (await gateway.ask<BackupsView>("GET", "/backups")).data.length,
    recorded: recording !== undefined && recording !== null,
  };
}
