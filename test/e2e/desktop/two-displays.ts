import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";

/** Debian: xserver-xorg-core, xserver-xorg-video-dummy, x11-xserver-utils, openbox. Xvfb has one display only. */
const XORG = "/usr/lib/xorg/Xorg";
const has = (program: string): boolean => spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;

/** Why there can be no two displays here, or null. */
export const missingDisplays: string | null = !existsSync(XORG)
  ? "no Xorg"
  : !existsSync("/usr/lib/xorg/modules/drivers/dummy_drv.so")
    ? "no driver of Xorg for displays that are none"
    : (["xrandr", "openbox"].map((name) => (has(name) ? null : `no ${name}`)).find((why) => why !== null) ?? null);

const MODE = "1440x900";
const CONFIG = `
Section "ServerFlags"
  Option "AutoAddDevices" "false"
EndSection
Section "Device"
  Identifier "card"
  Driver "dummy"
  VideoRam 192000
EndSection
Section "Monitor"
  Identifier "monitor"
  HorizSync 5-1000
  VertRefresh 5-200
  Modeline "${MODE}" 106.5 1440 1528 1672 1904 900 903 909 934
EndSection
Section "Screen"
  Identifier "screen"
  Device "card"
  Monitor "monitor"
  DefaultDepth 24
  SubSection "Display"
    Depth 24
    Virtual 4096 2048
    Modes "${MODE}"
  EndSubSection
EndSection
`;

export interface Displays {
  /** For DISPLAY. */
  readonly name: string;
  /** Puts a second display to the right of the first, of the same size, or takes it away. */
  plug(isThere: boolean): void;
  close(): Promise<void>;
}

/** An X server of its own with a window manager and one display, to which a second one can be plugged. */
export async function startDisplays(): Promise<Displays> {
  const folder = await mkdtemp(join(tmpdir(), "postern-displays-"));
  await writeFile(join(folder, "xorg.conf"), CONFIG);
  const log = join(folder, "xorg.log");
  // A user without root names the configuration by its file name alone.
  const given = ["-displayfd", "3", "-noreset", "-nolisten", "tcp", "-config", "xorg.conf", "-logfile", log];
  const server = spawn(XORG, given, { cwd: folder, stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const [number] = (await once(server.stdio[3] as Readable, "data")) as [Buffer];
  const name = `:${number.toString().trim()}`;
  const env = { ...process.env, DISPLAY: name };
  const xrandr = (...words: string[]): void => {
    const { status, stderr } = spawnSync("xrandr", words, { env, encoding: "utf8" });
    if (status !== 0) throw new Error(`xrandr ${words.join(" ")}: ${stderr}`);
  };
  const manager = spawn("openbox", { env, stdio: "ignore" });
  xrandr("--output", "DUMMY0", "--mode", MODE, "--primary");
  xrandr("--addmode", "DUMMY1", MODE);
  return {
    name,
    plug(isThere) {
      if (isThere) xrandr("--output", "DUMMY1", "--mode", MODE, "--right-of", "DUMMY0");
      else xrandr("--output", "DUMMY1", "--off");
      // The driver looks at what is connected when it is asked.
      xrandr("--query");
    },
    async close() {
      for (const process of [manager, server]) await end(process);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function end(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const ended = once(process, "exit");
  process.kill();
  await ended;
}
