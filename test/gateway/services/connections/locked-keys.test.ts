import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ConnectionView } from "../../../../gateway/contract/connection.ts";
import type { State } from "../../../../gateway/contract/control.ts";
import { startGateway, temporaryFolder, type TestGateway } from "../../../support/running-gateway.ts";

/** A start that has not the keychain that sealed the provider keys of the folder. */

interface SealedKey {
  backend: string;
  sealed: string;
}
type KeyFile = SealedKey & { earlier?: SealedKey[]; check?: number };

let dataDir: string;
let postern: TestGateway;
beforeEach(async () => {
  dataDir = await temporaryFolder();
  postern = await startGateway({ dataDir });
});
afterEach(async () => {
  await postern.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function connect(name: string): Promise<ConnectionView> {
  const body = {
    provider: "openai-compatible",
    name,
    base_url: "http://127.0.0.1:1/v1",
    keys: [`sk-of-${name}-0123456789abcdef0001`],
  };
  const { id } = await postern.ask<ConnectionView>("POST", "/connections", body);
  // No one is there to be asked.
  return postern.ask("PATCH", `/connections/${id}`, { enabled: false });
}

/** Starts again with the folder's keys sealed by other keychains. */
async function startedWith(change: (file: KeyFile) => void): Promise<void> {
  await postern.stop();
  const path = join(dataDir, "secret.key");
  const file = JSON.parse(await readFile(path, "utf8")) as KeyFile;
  change(file);
  const keys = [file, ...(file.earlier ?? [])].map(({ backend, sealed }) => `${backend}:${sealed}`);
  await writeFile(path, JSON.stringify({ ...file, check: crc32(keys.join("\n")) }));
  postern = await startGateway({ dataDir });
}

const states = async (): Promise<Record<string, string | undefined>> => {
  const { data } = await postern.ask<{ data: ConnectionView[] }>("GET", "/connections");
  return Object.fromEntries(data.map(({ name, credentials }) => [name, credentials[0]?.state]));
};
const notices = async (): Promise<string> =>
  (await postern.ask<State>("GET", "/state")).notices.map(({ message }) => message).join("\n");

it("says which are locked and what to do, takes them entered again, and opens the others when the keychain is back", async () => {
  const one = await connect("one");
  await connect("two");
  expect(await notices()).not.toContain("Locked");

  await startedWith((file) => (file.backend = "gnome_libsecret"));
  expect(await states()).toMatchObject({ one: "locked", two: "locked" });
  expect(await notices()).toMatch(
    /Locked: one \(.+0001\), two \(.+0001\)\. .*gnome_libsecret.* enter the provider keys again/,
  );

  await postern.ask("PATCH", `/connections/${one.id}`, { keys: ["sk-entered-again-0002"] });
  expect(await states()).toMatchObject({ one: "ready", two: "locked" });

  await startedWith(() => {});
  expect(await states()).toMatchObject({ one: "ready", two: "locked" });
  expect(await notices()).toMatch(/Locked: two \(.+0001\)\. /);

  await startedWith((file) => file.earlier?.forEach((key) => (key.backend = "file")));
  expect(await states()).toMatchObject({ one: "ready", two: "ready" });
  expect(await notices()).not.toContain("Locked");
});
