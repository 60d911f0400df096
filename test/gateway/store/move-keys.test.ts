import { describe, expect, test } from "vitest";
import { fileSealer } from "../../../gateway/store/data-key.ts";
import type { KeySealer, KeyProtection } from "../../../gateway/store/store.ts";
import { CODES, eachCall, failures } from "./every-fault.ts";
import { open, seededRandom } from "./fixtures.ts";
import { SimFs, type Disk } from "./sim-fs.ts";
import { TurningKeychain } from "./turning-keychain.ts";

/** The data key goes from its file to a keychain: by itself where it only waited for one, else when it is asked for. */

const DIR = "/data";
const KEY = `${DIR}/secret.key`;
const BACKUP_KEY = `${DIR}/backups/2026-11-20T120000-000Z/secret.key`;

/** A desktop start without a keychain. */
const waiting: KeySealer = { ...fileSealer(), awaitsKeychain: true };

/** A folder with a secret and a backup of both files, as a start with this sealer leaves it. */
async function usedFolder(sealer: KeySealer): Promise<{ readonly disk: Disk; readonly id: string }> {
  const fs = new SimFs({ files: new Map(), folders: new Set([DIR]) });
  const { store } = await open({ dir: DIR, fs, sealer });
  const id = await store.secrets.add("provider key");
  await store.close();
  const { files, folders } = fs.afterKill();
  const backup = BACKUP_KEY.slice(0, BACKUP_KEY.lastIndexOf("/"));
  return {
    id,
    disk: {
      files: new Map(files).set(BACKUP_KEY, files.get(KEY) ?? Buffer.alloc(0)),
      folders: new Set([...folders, `${DIR}/backups`, backup]),
    },
  };
}

async function opened(disk: Disk, sealer: KeySealer, id: string) {
  const fs = new SimFs(disk);
  const { store } = await open({ dir: DIR, fs, sealer });
  const { protection, locked } = store.secrets;
  const value = store.secrets.get(id);
  return { fs, store, protection, locked, value };
}

/** How the key lies in its file as it is. */
const plainKey = (disk: Disk): string =>
  (JSON.parse(disk.files.get(KEY)?.toString() ?? "") as { sealed: string }).sealed;
const filesWith = (disk: Disk, text: string): string[] =>
  [...disk.files].filter(([, bytes]) => bytes.includes(text)).map(([path]) => path);

const quiet = { moved: false, moveFailure: null };
const byFile: KeyProtection = { ...quiet, encryptedBy: ["file"], keychain: null, movable: false };
const byKeychain: KeyProtection = { ...quiet, encryptedBy: ["keychain"], keychain: "keychain", movable: false };

describe("a key file that a desktop made for want of a keychain", () => {
  test("goes to the keychain of the next start that has one, once, and no file has it any more", async () => {
    const { disk, id } = await usedFolder(waiting);
    expect(filesWith(disk, plainKey(disk)).toSorted()).toEqual([BACKUP_KEY, KEY].toSorted());
    const again = await opened(disk, waiting, id);
    expect(again).toMatchObject({ protection: byFile, value: "provider key" });

    const first = await opened(disk, new TurningKeychain(), id);
    expect(first).toMatchObject({ protection: { ...byKeychain, moved: true }, value: "provider key", locked: null });
    const left = first.fs.afterKill();
    expect(filesWith(left, plainKey(disk))).toEqual([]);
    expect(await opened(left, new TurningKeychain(), id)).toMatchObject({
      protection: byKeychain,
      value: "provider key",
    });
    const headless = await opened(left, fileSealer(), id);
    expect(headless).toMatchObject({ value: undefined, locked: expect.stringMatching(/Start the desktop app/) });
  });

  test("stays where a headless start has used it since, until the owner asks", async () => {
    const { disk, id } = await usedFolder(waiting);
    const headless = (await opened(disk, fileSealer(), id)).fs.afterKill();
    const { store, fs, protection } = await opened(headless, new TurningKeychain(), id);
    expect(protection).toEqual({ ...byKeychain, encryptedBy: ["file"], movable: true });
    await store.secrets.moveToKeychain();
    expect(store.secrets.protection).toEqual(byKeychain);
    expect(store.secrets.get(id)).toBe("provider key");
    const other = await store.secrets.add("a second");
    await store.close();
    const left = fs.afterKill();
    expect(filesWith(left, plainKey(disk))).toEqual([]);
    const next = await opened(left, new TurningKeychain(), id);
    expect([next.value, next.store.secrets.get(other)]).toEqual(["provider key", "a second"]);
  });

  test("follows the key that its keychain had, when that is back", async () => {
    const { disk, id } = await usedFolder(new TurningKeychain());
    const away = await opened(disk, waiting, id);
    expect(away.locked).toMatch(/this start has the key file/);
    const other = await away.store.secrets.add("entered while it was away");
    expect(away.store.secrets.protection.encryptedBy).toEqual(["file", "keychain"]);
    const back = await opened(away.fs.afterKill(), new TurningKeychain(), id);
    expect(back).toMatchObject({ value: "provider key", locked: null });
    expect(back.store.secrets.get(other)).toBe("entered while it was away");
    expect(back.protection).toEqual({ ...byKeychain, encryptedBy: ["keychain", "keychain"], moved: true });
  });
});

test("a key file of a headless start is offered to the keychain and stays until it is asked for", async () => {
  const { disk, id } = await usedFolder(fileSealer());
  const desktop = await opened(disk, new TurningKeychain(), id);
  expect(desktop.protection).toEqual({ ...byKeychain, encryptedBy: ["file"], movable: true });
  const headless = await opened(desktop.fs.afterKill(), fileSealer(), id);
  expect(headless).toMatchObject({ value: "provider key", protection: byFile });
  const without = await opened(disk, waiting, id);
  expect(without).toMatchObject({ value: "provider key", protection: byFile });
  await expect(without.store.secrets.moveToKeychain()).resolves.toBeUndefined();
  expect(plainKey(without.fs.afterKill())).toBe(plainKey(disk));
});

test("what a fixed password sealed is encrypted again: by the keychain, or into the key file where none exists", async () => {
  // It takes itself for a keychain, as an earlier version did.
  const { disk, id } = await usedFolder(new TurningKeychain(0x10, "gnome_libsecret"));
  const fixed = new TurningKeychain(0x10);
  const isWeak = (sealed: string): boolean => sealed.startsWith("10");
  const keychain = new TurningKeychain();
  const both: KeySealer = {
    backend: "gnome_libsecret",
    isWeak,
    seal: (key) => keychain.seal(key),
    open: (sealed) => (isWeak(sealed) ? fixed : keychain).open(sealed),
  };
  const found = await opened(disk, both, id);
  expect(found).toMatchObject({ value: "provider key", protection: { encryptedBy: ["gnome_libsecret"], moved: true } });
  expect(plainKey(found.fs.afterKill())).toMatch(/^ff/);
  const none = await opened(disk, { ...waiting, isWeak, open: (sealed) => fixed.open(sealed) }, id);
  expect(none).toMatchObject({ value: "provider key", locked: null, protection: { ...byFile, moved: true } });
  const later = await opened(none.fs.afterKill(), both, id);
  expect(later).toMatchObject({ value: "provider key", protection: { encryptedBy: ["gnome_libsecret"], moved: true } });
});

test("a keychain of another name is asked all the same, and named where it does not open", async () => {
  const { disk, id } = await usedFolder(new TurningKeychain(0xff, "kwallet5"));
  expect(await opened(disk, new TurningKeychain(0xff, "kwallet6"), id)).toMatchObject({
    value: "provider key",
    locked: null,
  });
  const other = await opened(disk, new TurningKeychain(0x55, "gnome_libsecret"), id);
  expect(other.locked).toMatch(
    /encrypted with the keychain \(kwallet5\) and this start has the keychain \(gnome_libsecret\)/,
  );
});

describe("a move that is interrupted", () => {
  /** Both starts that move: by itself, and when asked. */
  const moves: readonly (readonly [string, KeySealer])[] = [
    ["by itself", waiting],
    ["when asked", fileSealer()],
  ];

  test.each(moves)("%s loses nothing by a kill or a power cut at any step, and is done at the next", async (_, by) => {
    const { disk, id } = await usedFolder(by);
    const random = seededRandom(7);
    const fs = new SimFs(disk);
    const left: Disk[] = [];
    fs.onStep = () => left.push(fs.afterKill(), ...fs.afterPowerCut(16, random));
    const { store } = await open({ dir: DIR, fs, sealer: new TurningKeychain() });
    await store.secrets.moveToKeychain();
    expect(left.length).toBeGreaterThan(20);
    let before = 0;
    for (const each of left) {
      const next = await opened(each, new TurningKeychain(), id);
      expect(next).toMatchObject({ value: "provider key", locked: null });
      if (next.protection.movable || next.protection.moved) before += 1;
      await next.store.secrets.moveToKeychain();
      expect(next.store.secrets.protection.encryptedBy).toEqual(["keychain"]);
      expect(filesWith(next.fs.afterKill(), plainKey(disk))).toEqual([]);
    }
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(left.length);
  });

  test.each(moves)("%s loses nothing by a disk that refuses any call", async (_, by) => {
    const { disk, id } = await usedFolder(by);
    const counted = new SimFs(disk);
    const { store } = await open({ dir: DIR, fs: counted, sealer: new TurningKeychain() });
    await store.secrets.moveToKeychain();
    const faults = CODES.flatMap((code) => eachCall(counted.calls, code));
    const broken = await failures(faults, async (fault) => {
      const fs = new SimFs(disk);
      fs.fault = fault;
      const tried = await open({ dir: DIR, fs, sealer: new TurningKeychain() }).catch(() => null);
      await tried?.store.secrets.moveToKeychain().catch(() => undefined);
      const next = await opened(fs.afterKill(), new TurningKeychain(), id);
      expect(next).toMatchObject({ value: "provider key", locked: null });
    });
    expect(broken).toEqual([]);
  });

  test("says so, stays in the file and is tried again where the keychain refuses or gives back something else", async () => {
    const { disk, id } = await usedFolder(waiting);
    const refuses = new TurningKeychain();
    refuses.locked = true;
    const forgets: KeySealer = { ...fileSealer(), backend: "keychain", open: async () => new Uint8Array(32) };
    for (const keychain of [refuses, forgets]) {
      const tried = await opened(disk, keychain, id);
      expect(tried.value).toBe("provider key");
      expect(tried.protection).toMatchObject({ encryptedBy: ["file"], movable: true, moved: false });
      expect(tried.protection.moveFailure).toMatch(/refuses|did not give back/);
      await expect(tried.store.secrets.moveToKeychain()).rejects.toThrow("They are encrypted as before.");
      expect(plainKey(tried.fs.afterKill())).toBe(plainKey(disk));
      expect(await opened(tried.fs.afterKill(), new TurningKeychain(), id)).toHaveProperty("protection.moved", true);
    }
  });
});

test("a damaged key file among the backups keeps no one from moving, and keys of others there stay", async () => {
  const { disk, id } = await usedFolder(waiting);
  const foreign = `${DIR}/backups/2026-11-19T120000-000Z/secret.key`;
  const other = (await usedFolder(fileSealer())).disk.files.get(KEY) ?? Buffer.alloc(0);
  const files = new Map(disk.files).set(BACKUP_KEY, Buffer.from("{")).set(foreign, other);
  const folders = new Set([...disk.folders, `${DIR}/backups/2026-11-19T120000-000Z`]);
  const next = await opened({ files, folders }, new TurningKeychain(), id);
  expect(next).toMatchObject({ value: "provider key", protection: { moved: true } });
  const left = next.fs.afterKill();
  expect([left.files.get(BACKUP_KEY)?.toString(), left.files.get(foreign)]).toEqual(["{", other]);
});

test("a folder of a newer version is left as it is", async () => {
  const { disk, id } = await usedFolder(waiting);
  const marker = `${DIR}/postern.json`;
  const newer = JSON.stringify({ format: "postern-data", schemaVersion: 99, writtenBy: "Postern 99" });
  const files = new Map(disk.files).set(marker, Buffer.from(newer));
  const next = await opened({ ...disk, files }, new TurningKeychain(), id);
  expect(next).toMatchObject({ value: "provider key", protection: { ...quiet, movable: false } });
  await expect(next.store.secrets.moveToKeychain()).rejects.toThrow("read-only");
  expect(plainKey(next.fs.afterKill())).toBe(plainKey(disk));
});
