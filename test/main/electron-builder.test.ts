import { existsSync } from "node:fs";
import { join } from "node:path";
import { getConfig, validateConfiguration } from "app-builder-lib/out/util/config/config.js";
import { DebugLogger } from "builder-util";
import { describe, expect, it } from "vitest";
import { LINK_SCHEME } from "../../main/policy/deep-link.ts";

const projectFolder = join(import.meta.dirname, "../..");
const read = () => getConfig(projectFolder, join(projectFolder, "electron-builder.yml"), null);
const validate = (config: Awaited<ReturnType<typeof read>>) => validateConfiguration(config, new DebugLogger(false));

describe("electron-builder.yml", () => {
  it("is valid by electron-builder's own schema", async () => {
    await expect(validate(await read())).resolves.toBeUndefined();
  });

  it.each([
    ["an unknown option", { asarr: true }],
    ["an unknown fuse", { electronFuses: { runAsNodes: false } }],
    ["a fuse that is not a switch", { electronFuses: { runAsNode: "no" } }],
    ["an unknown target option", { mac: { hardened: true } }],
  ])("would be refused with %s", async (_name, mistake) => {
    const config = { ...(await read()), ...mistake };
    await expect(validate(config as never)).rejects.toThrow(/invalid/i);
  });

  it("sets every fuse, and only as the security checklist has it", async () => {
    expect((await read()).electronFuses).toStrictEqual({
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
    });
  });

  it("packs the bundles and nothing else, in an archive", async () => {
    const config = await read();
    expect(config.asar).toBe(true);
    const filter = ["out/main/**", "out/renderer/**", "package.json", "!**/.stamp", "!**/*.map", "!**/node_modules/**"];
    expect(config.files).toStrictEqual([{ filter }]);
  });

  it("makes the packages of the three systems", async () => {
    const config = await read();
    const names = (targets: unknown) => (targets as { target: string }[]).map(({ target }) => target);
    expect(names(config.mac?.target)).toStrictEqual(["dmg", "zip"]);
    expect(names(config.win?.target)).toStrictEqual(["nsis"]);
    expect(names(config.linux?.target)).toStrictEqual(["AppImage", "deb"]);
    expect(config.mac?.hardenedRuntime).toBe(true);
    expect(config.nsis?.deleteAppDataOnUninstall).toBe(false);
  });

  it("registers our links with the system, and is found by its window", async () => {
    const config = await read();
    expect(config.protocols).toStrictEqual([{ name: "Postern", schemes: [LINK_SCHEME], role: "Viewer" }]);
    expect(config.linux?.executableName).toBe("postern");
    expect(config.linux?.desktop?.entry).toStrictEqual({
      Name: "Postern",
      StartupWMClass: "Postern",
      StartupNotify: "true",
    });
  });

  it("knows of no feed by itself, and of this repository's releases when the release workflow names them", async () => {
    const config = await read();
    expect(config.publish).toBeNull();
    const publish = { provider: "github", owner: "someone", repo: "postern", releaseType: "draft" } as const;
    // As the builder takes `-c.publish.…` of the command line.
    const released = await getConfig(projectFolder, join(projectFolder, "electron-builder.yml"), { publish });
    expect(released.publish).toStrictEqual(publish);
    await expect(validate(released)).resolves.toBeUndefined();
  });

  it("points to resources that exist", async () => {
    const config = await read();
    const paths = [
      config.mac?.icon,
      config.mac?.entitlements,
      config.mac?.entitlementsInherit,
      config.win?.icon,
      config.linux?.icon,
    ];
    for (const path of paths) expect(existsSync(join(projectFolder, path as string)), String(path)).toBe(true);
  });
});
