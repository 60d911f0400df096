import { pbkdf2Sync, createCipheriv } from "node:crypto";
import { watch } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { missingBus, startBus, type TestBus } from "./bus.ts";
import { startCheckingProvider, type CheckingProvider } from "./checking-provider.ts";
import { missing, startDesktopAppWith, startHeadless, type DesktopApp } from "./desktop-app.ts";
import { makeKeyringFolder, missingKeyring, showSilentPrompt, type Keyring, type KeyringFolder } from "./keyring.ts";
import { signIn, storedKeys, type KeyOwner } from "./key-owner.ts";
import { killOne } from "./processes.ts";
import { needs } from "../../support/needs.ts";

/** Provider keys over starts with a keyring, without one, with another one: nothing is lost, and what is said is true. */

const skipped = missing ?? missingBus ?? missingKeyring;
if (skipped !== null) console.log(`\nskipped: ${skipped}\n`);

const KEY = "sk-work-0123456789abcdef";
const AGAIN = "sk-entered-again-0123456789";

let bus: TestBus;
let rings: KeyringFolder;
let ring: Keyring | null = null;
let dataDir = "";
let provider: CheckingProvider;
let running: DesktopApp | null = null;

/** Starts the app on the folder, as the session of this desktop does. */
async function start(desktop: string | null, ...args: readonly string[]): Promise<KeyOwner> {
  const named = desktop === null ? {} : { XDG_CURRENT_DESKTOP: desktop };
  const env = { ...bus.env, ...named, POSTERN_SANDBOX: "off" };
  running = await startDesktopAppWith({ env, dataDir, args: args.length === 0 ? ["--hidden"] : args });
  return signIn(running.ready);
}
async function stop(): Promise<void> {
  await running?.app.close().catch(() => undefined);
  running = null;
}
async function startAgain(desktop: string | null, ...args: readonly string[]): Promise<KeyOwner> {
  await stop();
  return start(desktop, ...args);
}
async function headless<T>(look: (owner: KeyOwner) => Promise<T>): Promise<T> {
  await stop();
  const gateway = await startHeadless(dataDir);
  try {
    return await look(await signIn(gateway.ready));
  } finally {
    await gateway.end();
  }
}
/** When the provider has been asked for its models, it is called with the key. */
async function works(owner: KeyOwner): Promise<void> {
  await expect.poll(() => owner.call(), { timeout: 30_000 }).toBe(200);
}
async function isLocked(owner: KeyOwner): Promise<void> {
  expect(await owner.keyStates()).toEqual({ Work: "locked" });
  expect(await owner.call()).not.toBe(200);
}
const keyFile = (): Promise<string> => readFile(join(dataDir, "secret.key"), "utf8");

// Most of them start the app four times and more.
describe.skipIf(skipped !== null)("provider keys in the desktop app", { ...needs(skipped), timeout: 180_000 }, () => {
  beforeEach(async () => {
    bus = await startBus();
    rings = await makeKeyringFolder();
    dataDir = await mkdtemp(join(tmpdir(), "postern-secrets-"));
    provider = await startCheckingProvider(KEY, AGAIN);
  });
  afterEach(async () => {
    await stop();
    await ring?.end();
    ring = null;
    await bus.end();
    await provider.close();
    await rings.remove();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  it("are encrypted by a keyring whatever the desktop is called, locked unharmed while it is gone, and open again", async () => {
    ring = await rings.start(bus, "unlocked");
    const first = await start(null);
    await first.connect(provider.baseUrl, KEY);
    await works(first);
    const byKeyring = { encrypted_by: ["gnome_libsecret"], keychain: "gnome_libsecret", can_move: false, locked: null };
    expect([await first.protection(), await first.notices()]).toEqual([byKeyring, ""]);
    const written = await keyFile();
    expect((await storedKeys(dataDir))[0]?.sealed).toMatch(/^djEx/);
    for (const desktop of ["GNOME", "KDE", "Unheard-of"]) {
      const owner = await startAgain(desktop);
      await works(owner);
      expect([await owner.protection(), await owner.notices()]).toEqual([byKeyring, ""]);
    }

    await stop();
    await ring.end();
    const gone = await start("GNOME");
    await isLocked(gone);
    expect(await gone.notices()).toMatch(
      /The keychain .*\(gnome_libsecret\) is locked or was not found.*\nLocked: Work /,
    );
    expect(await gone.protection()).toMatchObject({
      keychain: null,
      locked: expect.stringContaining("(gnome_libsecret)"),
    });
    expect(await keyFile()).toBe(written);

    await stop();
    ring = await rings.start(bus, "unlocked");
    const back = await start("GNOME");
    await works(back);
    expect([await back.protection(), await back.notices()]).toEqual([byKeyring, ""]);
  });

  it("have a key file where no keyring answers, and go to the first that does: from the backups too, reported, once", async () => {
    const first = await start("GNOME");
    await first.connect(provider.baseUrl, KEY);
    await works(first);
    expect(await first.protection()).toEqual({ encrypted_by: ["file"], keychain: null, can_move: false, locked: null });
    expect(await first.notices()).toMatch(/^No unlocked keyring was found/);
    const { path } = await first.ask<{ path: string }>("POST", "/backup");
    const { sealed = "" } = (await storedKeys(dataDir))[0] ?? {};

    await stop();
    ring = await rings.start(bus, "unlocked");
    const moved = await start("GNOME");
    await works(moved);
    expect(await moved.protection()).toMatchObject({ encrypted_by: ["gnome_libsecret"], can_move: false });
    expect(await moved.notices()).toMatch(
      /encrypted with the keychain \(gnome_libsecret\) now, .* Starts without a desktop/,
    );
    for (const folder of [dataDir, path]) {
      const keys = await storedKeys(folder);
      expect(keys).toMatchObject([{ backend: "gnome_libsecret", sealed: expect.stringMatching(/^djEx/) }]);
      expect(JSON.stringify(keys)).not.toContain(sealed);
    }
    const next = await startAgain("GNOME");
    await works(next);
    expect(await next.notices()).toBe("");
    await headless(async (owner) => {
      await isLocked(owner);
      expect(await owner.notices()).toMatch(/Locked: Work .*keychain \(gnome_libsecret\).* Start the desktop app/);
    });
  });

  it("stay in the key file of a headless start until the owner moves them, on the page that says what that means", async () => {
    await headless(async (owner) => {
      await owner.connect(provider.baseUrl, KEY);
      await works(owner);
      expect(await owner.notices()).toBe("");
    });
    ring = await rings.start(bus, "unlocked");
    const offered = await start("GNOME");
    await works(offered);
    expect(await offered.notices()).toMatch(/key file, which starts without a desktop open too.*Settings, Data/);
    await headless(works);

    await start("GNOME", "--lang=en");
    const { window } = running as DesktopApp;
    await window.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await window.evaluate("location.hash = '#/settings?section=data'");
    const panel = window.getByRole("region", { name: "Provider keys" });
    await panel.getByText("A key file in the data folder").waitFor();
    await panel.getByRole("button", { name: "Move to the keychain" }).click();
    await window.getByRole("alertdialog").getByRole("button", { name: "Move to the keychain" }).click();
    await panel.getByText("The keychain (gnome_libsecret).").waitFor();
    expect(await storedKeys(dataDir)).toMatchObject([{ backend: "gnome_libsecret" }]);
    await works(await startAgain("KDE"));
    await headless(isLocked);
  });

  it("are locked on another machine, can be entered again there, and open again on the first", async () => {
    ring = await rings.start(bus, "unlocked");
    const first = await start("GNOME");
    await first.connect(provider.baseUrl, KEY);
    const second = await first.connect(provider.baseUrl, KEY, "Second");
    const [written] = await storedKeys(dataDir);
    await stop();
    await ring.end();

    const elsewhere = await makeKeyringFolder();
    ring = await elsewhere.start(bus, "unlocked");
    const other = await start("GNOME");
    expect(await other.keyStates()).toEqual({ Work: "locked", Second: "locked" });
    expect(await other.call()).not.toBe(200);
    expect(await other.notices()).toMatch(/^Locked: .* not the one that encrypted them, as on another machine/);
    await other.ask("PATCH", `/connections/${second}`, { keys: [AGAIN] });
    await works(other);
    const keys = await storedKeys(dataDir);
    expect(keys).toEqual([{ backend: "gnome_libsecret", sealed: expect.stringMatching(/^djEx/) }, written]);
    const again = await startAgain("GNOME");
    await works(again);
    expect(await again.keyStates()).toMatchObject({ Work: "locked" });

    await stop();
    await ring.end();
    await elsewhere.remove();
    ring = await rings.start(bus, "unlocked");
    const home = await start("GNOME");
    expect(await home.keyStates()).toMatchObject({ Second: "locked" });
    await works(home);
    expect(await home.keyStates()).toMatchObject({ Work: "ready" });
    await home.ask("PATCH", `/connections/${second}`, { keys: [AGAIN] });
    expect((await storedKeys(dataDir)).slice(1)).toEqual(keys);
    await works(await startAgain("GNOME"));
  });

  it("wait five seconds for a keyring that says nothing, and move to it, or open, as soon as it answers", async () => {
    ring = await rings.start(bus, "unlocked");
    ring.signal("SIGSTOP");
    const first = await start("GNOME");
    await first.connect(provider.baseUrl, KEY);
    await works(first);
    // The bus itself would have given up after 25 s, and Electron had said that none exists.
    expect(await first.notices()).toMatch(/^The keyring did not answer within 5 seconds.* then they move to it/);
    expect(await storedKeys(dataDir)).toMatchObject([{ backend: "file" }]);
    ring.signal("SIGCONT");
    await expect.poll(() => storedKeys(dataDir), { timeout: 30_000 }).toMatchObject([{ backend: "gnome_libsecret" }]);
    await expect.poll(() => first.notices()).toMatch(/^The provider keys of .*encrypted with the keychain/);
    await works(first);

    await stop();
    ring.signal("SIGSTOP");
    const locked = await start("GNOME");
    await isLocked(locked);
    ring.signal("SIGCONT");
    await works(locked);
    expect([await locked.keyStates(), await locked.notices()]).toEqual([{ Work: "ready" }, ""]);
  });

  it("are locked, not lost, while the keyring asks for a password that no one types", async () => {
    ring = await rings.start(bus, "unlocked");
    await (await start("GNOME")).connect(provider.baseUrl, KEY);
    const written = await keyFile();
    await stop();
    await ring.end();
    ring = await rings.start(bus, "locked");
    const prompt = await showSilentPrompt(bus);
    const owner = await start("GNOME");
    expect(prompt.requestCount()).toBe(1);
    await isLocked(owner);
    expect(await owner.notices()).toMatch(/\(gnome_libsecret\) did not answer within 5 seconds: it may be locked/);
    // Without anybody who could show the question, the keyring refuses at once.
    await stop();
    await prompt.end();
    await ring.end();
    ring = await rings.start(bus, "locked");
    const refused = await start("GNOME");
    await isLocked(refused);
    expect(await refused.notices()).toMatch(/\(gnome_libsecret\) is locked or was not found/);
    expect(await keyFile()).toBe(written);
    await stop();
    await ring.end();
    ring = await rings.start(bus, "unlocked");
    await works(await start("GNOME"));
  });

  it("that an earlier version sealed with a fixed password open, and are encrypted again", async () => {
    const first = await start("GNOME");
    await first.connect(provider.baseUrl, KEY);
    await stop();
    const { sealed = "" } = (await storedKeys(dataDir))[0] ?? {};
    const weak = JSON.stringify({ backend: "gnome_libsecret", sealed: withFixedPassword(sealed) });
    await writeFile(join(dataDir, "secret.key"), weak);
    const without = await start("GNOME");
    await works(without);
    expect(await without.notices()).toMatch(/^No unlocked keyring was found/);
    expect(await storedKeys(dataDir)).toEqual([{ backend: "file", sealed }]);
    await stop();
    await writeFile(join(dataDir, "secret.key"), weak);
    ring = await rings.start(bus, "unlocked");
    await works(await start("GNOME"));
    expect((await storedKeys(dataDir))[0]?.sealed).toMatch(/^djEx/);
  });

  it.each([1, 2, 4])("survive a kill when file %i of their move begins, which is then done whole", async (nth) => {
    await headless(async (owner) => {
      await owner.connect(provider.baseUrl, KEY);
      for (let backup = 0; backup < 3; backup += 1) await owner.ask("POST", "/backup");
    });
    const { sealed = "" } = (await storedKeys(dataDir))[0] ?? {};
    const backups = (await readdir(join(dataDir, "backups"))).map((name) => join(dataDir, "backups", name));
    const folders = [...backups, dataDir];
    ring = await rings.start(bus, "unlocked");
    const owner = await start("GNOME");
    const { ready, ended } = running as DesktopApp;
    let startedAt = 0;
    const watchers = folders.map((folder) =>
      watch(folder, (kind, name) => {
        if (kind !== "rename" || name?.startsWith("secret.key.tmp-") !== true) return;
        startedAt += 1;
        // Each file is made under this name, and loses it: two events.
        if (startedAt === 2 * nth - 1) killOne(ready.pid);
      }),
    );
    await owner.ask("POST", "/key-protection/move").catch(() => undefined);
    await ended;
    for (const watcher of watchers) watcher.close();
    const next = await startAgain("GNOME");
    await works(next);
    if ((await next.protection()).can_move) await next.ask("POST", "/key-protection/move");
    await works(next);
    for (const folder of folders) expect(JSON.stringify(await storedKeys(folder))).not.toContain(sealed);
    await works(await startAgain("GNOME"));
  });
});

/** As Chromium does it for want of a keyring: anybody can. */
function withFixedPassword(text: string): string {
  const cipher = createCipheriv(
    "aes-128-cbc",
    pbkdf2Sync("peanuts", "saltysalt", 1, 16, "sha1"),
    Buffer.alloc(16, " "),
  );
  return Buffer.concat([Buffer.from("v10"), cipher.update(text), cipher.final()]).toString("base64");
}
