import { join } from "node:path";
import type { StoreFs } from "../gateway/store/disk/store-fs.ts";

/** Names that Chromium and the session's bus have for KWallet, oldest first. */
const WALLETS = { kwallet: "org.kde.kwalletd", kwallet5: "org.kde.kwalletd5", kwallet6: "org.kde.kwalletd6" } as const;

/** Folders of services that the session bus can start, by the XDG base directory specification. */
function serviceFolders(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const own = env["XDG_DATA_HOME"] || join(env["HOME"] ?? "/", ".local/share");
  const shared = env["XDG_DATA_DIRS"] || "/usr/local/share:/usr/share";
  return [own, ...shared.split(":")].filter((folder) => folder !== "").map((folder) => join(folder, "dbus-1/services"));
}

/**
 * Lists the KWallets installed on a Linux machine, by Chromium's names. The bus always starts them, so their service
 * files suffice without a connection.
 */
export async function installedWallets(
  fs: Pick<StoreFs, "check">,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  const folders = serviceFolders(env);
  const looks = Object.entries(WALLETS).map(async ([wallet, service]) => {
    const found = await Promise.all(
      folders.map((folder) => fs.check(join(folder, `${service}.service`)).catch(() => null)),
    );
    return found.some((file) => file !== null) ? [wallet] : [];
  });
  return (await Promise.all(looks)).flat();
}
