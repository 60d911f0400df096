import { expect, test } from "vitest";
import { fileSealer } from "../../../gateway/store/data-key.ts";
import { open } from "./fixtures.ts";
import { SimFs } from "./sim-fs.ts";
import { TurningKeychain } from "./turning-keychain.ts";

const DIR = "/data";
const folder = (): SimFs => new SimFs({ files: new Map(), folders: new Set([DIR]) });
const again = (fs: SimFs): SimFs => new SimFs(fs.afterKill());

test("secrets survive a restart, removed ones do not", async () => {
  const fs = folder();
  const { store } = await open({ dir: DIR, fs });
  const ids = await Promise.all(["one", "two", "drei €"].map((value) => store.secrets.add(value)));
  await store.secrets.remove([ids[1] ?? ""]);
  const reopened = (await open({ dir: DIR, fs: again(fs) })).store;
  expect(ids.map((id) => reopened.secrets.get(id))).toEqual(["one", undefined, "drei €"]);
  expect(reopened.secrets.locked).toBeNull();
});

test("no secret is in any file of the folder", async () => {
  const fs = folder();
  const { store } = await open({ dir: DIR, fs });
  await store.secrets.add("sk-canary-0123456789");
  await store.close();
  const { files } = fs.afterKill();
  expect(files.size).toBeGreaterThan(2);
  for (const [path, bytes] of files) {
    expect(bytes.includes("sk-canary"), path).toBe(false);
    expect(bytes.includes(Buffer.from("sk-canary-0123456789").toString("base64")), path).toBe(false);
  }
});

test("a sealed secret that is moved under another id does not open", async () => {
  const fs = folder();
  const { store } = await open({ dir: DIR, fs });
  const [a, b] = [await store.secrets.add("for a"), await store.secrets.add("for b")];
  const disk = fs.afterKill();
  const path = `${DIR}/secrets.json`;
  const text = disk.files.get(path)?.toString() ?? "";
  const swapped = text.replace(a, "A").replace(b, a).replace("A", b);
  const reopened = await open({
    dir: DIR,
    fs: new SimFs({ ...disk, files: new Map(disk.files).set(path, Buffer.from(swapped)) }),
  });
  expect(reopened.store.secrets.get(a)).toBeUndefined();
  expect(reopened.store.secrets.get(b)).toBeUndefined();
  expect(reopened.store.openingNotices.map((notice) => notice.message).join()).toMatch(
    /2 of the provider keys were damaged/,
  );
});

test("a data key that was changed on the disk is distinguished from a keychain that refuses", async () => {
  const fs = folder();
  await (await open({ dir: DIR, fs })).store.secrets.add("provider key");
  const disk = fs.afterKill();
  const path = `${DIR}/secret.key`;
  const bytes = Buffer.from(disk.files.get(path) ?? "");
  for (let at = 0; at < bytes.length; at += 1) {
    const flipped = Buffer.from(bytes);
    flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at);
    const { store } = await open({
      dir: DIR,
      fs: new SimFs({ ...disk, files: new Map(disk.files).set(path, flipped) }),
    });
    expect(store.secrets.locked).toBeNull();
    await store.secrets.add("entered again");
  }
});

test("a folder that another backend sealed is locked, says what to do, and loses nothing by what is entered again", async () => {
  const fs = folder();
  const keychain = new TurningKeychain();
  const sealed = await open({ dir: DIR, fs, sealer: keychain });
  const id = await sealed.store.secrets.add("provider key");
  const headlessFs = again(fs);
  const headless = (await open({ dir: DIR, fs: headlessFs, sealer: fileSealer() })).store;
  expect(headless.secrets.locked).toMatch(/Start the desktop app/);
  expect(headless.secrets.get(id)).toBeUndefined();
  const other = await headless.secrets.add("entered again");
  expect(headless.secrets.get(other)).toBe("entered again");
  expect(headless.secrets.locked).toMatch(/Start the desktop app/);
  await headless.close();
  const backFs = again(headlessFs);
  const back = (await open({ dir: DIR, fs: backFs, sealer: keychain })).store;
  expect([id, other].map((one) => back.secrets.get(one))).toEqual(["provider key", "entered again"]);
  expect([back.secrets.locked, back.openingNotices]).toEqual([null, []]);
  const third = await back.secrets.add("a third");
  await back.close();
  const anywhere = (await open({ dir: DIR, fs: again(backFs), sealer: fileSealer() })).store;
  expect([id, other, third].map((one) => anywhere.secrets.get(one))).toEqual([undefined, "entered again", "a third"]);
});

test("what no one can open is not locked any more when it was replaced", async () => {
  const fs = folder();
  const id = await (await open({ dir: DIR, fs, sealer: new TurningKeychain() })).store.secrets.add("provider key");
  const headlessFs = again(fs);
  const headless = (await open({ dir: DIR, fs: headlessFs, sealer: fileSealer() })).store;
  const other = await headless.secrets.add("in its place");
  await headless.secrets.remove([id]);
  expect(headless.secrets.locked).toBeNull();
  await headless.close();
  const next = (await open({ dir: DIR, fs: again(headlessFs), sealer: fileSealer() })).store;
  expect([next.secrets.locked, next.secrets.get(other)]).toEqual([null, "in its place"]);
});

test("a keychain that opens none of what it sealed takes new ones, and gives the old ones when it is back", async () => {
  const fs = folder();
  const old = new TurningKeychain();
  const id = await (await open({ dir: DIR, fs, sealer: old })).store.secrets.add("provider key");
  // Of the same name, as after a system was set up again.
  const isRepeated = new TurningKeychain(0x55);
  const changedFs = again(fs);
  const changed = (await open({ dir: DIR, fs: changedFs, sealer: isRepeated })).store;
  expect(changed.secrets.locked).toMatch(/refused/);
  const other = await changed.secrets.add("entered again");
  await changed.close();
  const nextFs = again(changedFs);
  const next = (await open({ dir: DIR, fs: nextFs, sealer: isRepeated })).store;
  expect([next.secrets.get(id), next.secrets.get(other)]).toEqual([undefined, "entered again"]);
  await next.close();
  const back = (await open({ dir: DIR, fs: again(nextFs), sealer: old })).store;
  expect(back.secrets.get(id)).toBe("provider key");
  expect(back.secrets.locked).toMatch(/refused/);
});

test("a file of several data keys that was changed on the disk is distinguished from a keychain that refuses", async () => {
  const fs = folder();
  await (await open({ dir: DIR, fs, sealer: new TurningKeychain() })).store.secrets.add("provider key");
  const both = again(fs);
  await (await open({ dir: DIR, fs: both, sealer: fileSealer() })).store.secrets.add("entered again");
  const disk = both.afterKill();
  const path = `${DIR}/secret.key`;
  const bytes = Buffer.from(disk.files.get(path) ?? "");
  for (let at = 0; at < bytes.length; at += 7) {
    const flipped = Buffer.from(bytes);
    flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at);
    const files = new Map(disk.files).set(path, flipped);
    const { store } = await open({ dir: DIR, fs: new SimFs({ ...disk, files }), sealer: new TurningKeychain() });
    expect(store.secrets.locked).toBeNull();
  }
});

test("a keychain that refuses locks the secrets until it opens again", async () => {
  const fs = folder();
  const keychain = new TurningKeychain();
  const id = await (await open({ dir: DIR, fs, sealer: keychain })).store.secrets.add("provider key");
  keychain.locked = true;
  const locked = (await open({ dir: DIR, fs: again(fs), sealer: keychain })).store;
  expect(locked.secrets.locked).toMatch(/Unlock it/);
  keychain.locked = false;
  expect((await open({ dir: DIR, fs: again(fs), sealer: keychain })).store.secrets.get(id)).toBe("provider key");
});
