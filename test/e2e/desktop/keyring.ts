import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import dbus from "dbus-native";
import { expect } from "vitest";
import { hasProgram, type TestBus } from "./bus.ts";

/** A person's keyrings on a disk: another machine has others. */
export interface KeyringFolder {
  /**
   * A keyring daemon on a bus.
   * @param how `unlocked` as after a login with the password; `locked` as after one without: it asks for it when it is used
   */
  start(bus: TestBus, how: "unlocked" | "locked"): Promise<Keyring>;
  remove(): Promise<void>;
}

export interface Keyring {
  /** It says nothing any more, and goes on where it was. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
  /** It is gone from the bus. */
  end(): Promise<void>;
}

const NAME = "org.freedesktop.secrets";
const SERVICE = { destination: NAME, path: "/org/freedesktop/secrets", interface: "org.freedesktop.Secret.Service" };

/** Why no keyring can be had here, or null. */
export const missingKeyring: string | null = hasProgram("gnome-keyring-daemon") ? null : "no gnome-keyring-daemon";

export async function makeKeyringFolder(): Promise<KeyringFolder> {
  // Short, since a socket is made in it.
  const folder = await mkdtemp(join(tmpdir(), "ring-"));
  return {
    async start(bus, how) {
      const options = ["--foreground", "--components=secrets", `--control-directory=${folder}`];
      const daemon = spawn("gnome-keyring-daemon", how === "unlocked" ? [...options, "--unlock"] : options, {
        env: { ...process.env, ...bus.env, HOME: folder, XDG_DATA_HOME: folder, XDG_RUNTIME_DIR: folder },
        stdio: ["pipe", "ignore", "ignore"],
      });
      const ended = once(daemon, "exit");
      daemon.stdin?.end("a password");
      // It is to be had when it knows which keyring is the usual one.
      await expect.poll(() => defaultKeyring(bus), { timeout: 10_000 }).not.toBe("/");
      return {
        signal: (signal) => void daemon.kill(signal),
        async end() {
          daemon.kill("SIGKILL");
          await ended;
          await expect.poll(() => bus.ownerOf(NAME)).toBeNull();
        },
      };
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

const defaultKeyring = (bus: TestBus): Promise<unknown> =>
  bus.call(SERVICE, "ReadAlias", "s", "default").catch(() => "/");

/** A dialog for the password of a locked keyring: it is opened, and no one ever types anything. @returns how to end it */
export async function showSilentPrompt(
  bus: TestBus,
): Promise<{ readonly requestCount: () => number; end(): Promise<void> }> {
  let requestCount = 0;
  const prompter = dbus.defineInterface({
    name: "org.gnome.keyring.internal.Prompter",
    methods: {
      BeginPrompting: { in: { callback: "o" }, handler: () => void (requestCount += 1) },
      PerformPrompt: { in: { callback: "o", type: "s", properties: "a{sv}", exchange: "s" }, handler: () => undefined },
      StopPrompting: { in: { callback: "o" }, handler: () => undefined },
    },
  });
  const end = await bus.serve("org.gnome.keyring.SystemPrompter", "/org/gnome/keyring/Prompter", prompter);
  return { requestCount: () => requestCount, end };
}
