import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { nodeStoreFs } from "../../gateway/store/disk/store-fs.ts";
import { installedWallets } from "../../main/wallets.ts";

let home = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "postern-wallets-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function install(folder: string, service: string): Promise<void> {
  await mkdir(join(home, folder, "dbus-1/services"), { recursive: true });
  await writeFile(join(home, folder, "dbus-1/services", `${service}.service`), "[D-BUS Service]\n");
}
const wallets = (env: Record<string, string> = {}) =>
  installedWallets(nodeStoreFs, { HOME: home, XDG_DATA_DIRS: `${home}/one:${home}/two`, ...env });

it("finds the wallets that the bus can start, wherever they are registered, oldest first", async () => {
  expect(await wallets()).toStrictEqual([]);
  await install("one", "org.freedesktop.secrets");
  expect(await wallets()).toStrictEqual([]);
  await install("two", "org.kde.kwalletd6");
  expect(await wallets()).toStrictEqual(["kwallet6"]);
  await install(".local/share", "org.kde.kwalletd5");
  expect(await wallets()).toStrictEqual(["kwallet5", "kwallet6"]);
  expect(await wallets({ XDG_DATA_HOME: `${home}/elsewhere` })).toStrictEqual(["kwallet6"]);
});

it("is not stopped by folders that are invalid", async () => {
  await writeFile(join(home, "file"), "");
  expect(await wallets({ XDG_DATA_DIRS: `:${home}/file:${home}/missing:` })).toStrictEqual([]);
});
