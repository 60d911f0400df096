import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ConnectionView } from "../../../gateway/contract/connection.ts";
import type { State } from "../../../gateway/contract/control.ts";
import type { KeyProtectionView } from "../../../gateway/contract/maintenance.ts";
import { fileSealer } from "../../../gateway/store/data-key.ts";
import type { KeySealer } from "../../../gateway/store/store.ts";
import { startGateway, temporaryFolder, type TestGateway } from "../../support/running-gateway.ts";
import { TurningKeychain } from "../store/turning-keychain.ts";

/** What the control API says of what protects the provider keys, and the move that the owner asks for. */

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

async function startAgain(sealer: KeySealer = fileSealer()): Promise<void> {
  await postern.stop();
  postern = await startGateway({ dataDir, sealer });
}
async function connect(): Promise<void> {
  const body = {
    provider: "openai-compatible",
    name: "Work",
    base_url: "http://127.0.0.1:1/v1",
    keys: ["sk-work-0001"],
  };
  const { id } = await postern.ask<ConnectionView>("POST", "/connections", body);
  // No one is there to be asked.
  await postern.ask("PATCH", `/connections/${id}`, { enabled: false });
}
const protection = (): Promise<KeyProtectionView> => postern.ask("GET", "/key-protection");
const notices = async (): Promise<readonly string[]> =>
  (await postern.ask<State>("GET", "/state")).notices.map(({ message }) => message);
const keyState = async (): Promise<string | undefined> =>
  (await postern.ask<{ data: ConnectionView[] }>("GET", "/connections")).data[0]?.credentials[0]?.state;

it("offers the move where a keychain answers, does it when asked, backups too, and says what that means", async () => {
  expect(await protection()).toEqual({ encrypted_by: [], keychain: null, can_move: false, locked: null });
  await connect();
  expect(await protection()).toEqual({ encrypted_by: ["file"], keychain: null, can_move: false, locked: null });
  expect(await notices()).toEqual([]);
  expect((await postern.control("POST", "/key-protection/move")).status).toBe(409);
  const { path } = await postern.ask<{ path: string }>("POST", "/backup");
  const { sealed } = JSON.parse(await readFile(join(dataDir, "secret.key"), "utf8")) as { sealed: string };

  await startAgain(new TurningKeychain());
  const offered = { encrypted_by: ["file"], keychain: "keychain", can_move: true, locked: null };
  expect(await protection()).toEqual(offered);
  expect(await notices()).toEqual([expect.stringMatching(/key file, .* move them to it under Settings, Data/)]);
  const moved = { ...offered, encrypted_by: ["keychain"], can_move: false };
  expect(await postern.ask("POST", "/key-protection/move")).toEqual(moved);
  expect(await notices()).toEqual([]);
  expect(await keyState()).toBe("ready");
  for (const folder of [dataDir, path])
    expect(await readFile(join(folder, "secret.key"), "utf8")).not.toContain(sealed);
  expect((await postern.control("POST", "/key-protection/move")).status).toBe(409);

  await startAgain(new TurningKeychain());
  expect([await protection(), await notices(), await keyState()]).toEqual([moved, [], "ready"]);
  await startAgain();
  expect(await protection()).toMatchObject({
    keychain: null,
    can_move: false,
    locked: expect.stringContaining("(keychain)"),
  });
  expect(await keyState()).toBe("locked");
  expect((await notices()).join()).toMatch(/Locked: Work .* Start the desktop app where that keychain is/);
});

it("says when a start has moved the keys by itself, and when it could not", async () => {
  await startAgain({ ...fileSealer(), awaitsKeychain: true });
  await connect();
  const refuses = new TurningKeychain();
  refuses.locked = true;
  await startAgain(refuses);
  expect(await notices()).toEqual([expect.stringMatching(/could not be moved .*the next start tries again/)]);
  expect([await keyState(), (await postern.control("POST", "/key-protection/move")).status]).toEqual(["ready", 503]);
  await startAgain(new TurningKeychain());
  expect(await notices()).toEqual([expect.stringMatching(/encrypted with the keychain \(keychain\) now/)]);
  expect(await keyState()).toBe("ready");
});

it("uses a keychain that answers long after the start: what was locked opens, what was entered meanwhile moves", async () => {
  const keychain = new TurningKeychain();
  await startAgain(keychain);
  await connect();
  const silent: KeySealer = { ...fileSealer(), awaitsKeychain: true };
  let now = silent;
  await startAgain({
    get backend() {
      return now.backend;
    },
    get awaitsKeychain() {
      return now.awaitsKeychain === true;
    },
    seal: (key) => now.seal(key),
    open: (sealed) => now.open(sealed),
  });
  expect(await keyState()).toBe("locked");
  const body = { provider: "openai-compatible", name: "New", base_url: "http://127.0.0.1:1/v1", keys: ["sk-new-0002"] };
  const { id } = await postern.ask<ConnectionView>("POST", "/connections", body);
  await postern.ask("PATCH", `/connections/${id}`, { enabled: false });
  expect(await protection()).toMatchObject({ encrypted_by: ["file", "keychain"], keychain: null });
  expect(await notices()).toEqual([expect.stringMatching(/^Locked: Work/)]);
  now = keychain;
  await postern.gateway.keychainAnswered();
  expect(await keyState()).toBe("ready");
  const both = { encrypted_by: ["keychain", "keychain"], keychain: "keychain", can_move: false, locked: null };
  expect(await protection()).toEqual(both);
  expect(await notices()).toEqual([expect.stringMatching(/encrypted with the keychain \(keychain\) now/)]);
  await startAgain(keychain);
  const { data } = await postern.ask<{ data: ConnectionView[] }>("GET", "/connections");
  expect(data.map(({ credentials }) => credentials[0]?.state)).toEqual(["ready", "ready"]);
});
