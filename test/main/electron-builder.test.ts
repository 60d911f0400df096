import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { getConfig, validateConfiguration } from "app-builder-lib/out/util/config/config.js";
import { DebugLogger } from "builder-util";
import { imageSize } from "image-size";
import { describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
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
    expect(names(config.linux?.target)).toStrictEqual(["AppImage", "deb", "rpm"]);
    const targets = [config.mac?.target, config.win?.target, config.linux?.target].flat() as { arch: string[] }[];
    for (const { arch } of targets) expect(arch.toSorted()).toStrictEqual(["arm64", "x64"]);
    // Its runtime needs no library of FUSE 2.
    expect(config.toolsets?.appimage).toBe("1.0.3");
    expect(config.mac?.hardenedRuntime).toBe(true);
    expect(config.nsis?.deleteAppDataOnUninstall).toBe(false);
  });

  it("registers our links with the system, and is found by its window", async () => {
    const config = await read();
    expect(config.protocols).toStrictEqual([{ name: "Postern", schemes: [LINK_SCHEME], role: "Viewer" }]);
    // Electron names its windows by desktopName, and the builder the .desktop file and its StartupWMClass.
    expect(manifest.desktopName).toBe(`${config.linux?.executableName}.desktop`);
    expect(config.linux?.syncDesktopName).toBe(true);
    expect(Object.keys(config.linux?.desktop?.entry ?? {})).not.toContain("StartupWMClass");
  });

  it("says on macOS what the microphone and the local network are for", async () => {
    const { mac } = await read();
    expect(mac?.extendInfo).toMatchObject({
      NSMicrophoneUsageDescription: expect.stringContaining("Record"),
      NSLocalNetworkUsageDescription: expect.stringContaining("network"),
    });
  });

  it("gives Linux an icon of each size that its icon theme has, as large as it says", async () => {
    const folder = join(projectFolder, String((await read()).linux?.icon));
    const sizes = readdirSync(folder).map((name) => {
      const size = imageSize(readFileSync(join(folder, name)));
      expect(name).toBe(`${size.width}x${size.height}.png`);
      return size.width;
    });
    expect(sizes.toSorted((a, b) => a - b)).toStrictEqual([16, 24, 32, 48, 64, 128, 256, 512]);
  });

  it("has the packages of Linux bring what Electron links, which the builder's own lists do not", async () => {
    const { deb, rpm } = await read();
    for (const library of ["libgtk-3-0", "libnss3", "libgbm1", "libasound2"]) expect(deb?.depends).toContain(library);
    for (const library of ["gtk3", "nss", "mesa-libgbm", "alsa-lib"]) {
      expect(rpm?.depends).toContainEqual(expect.stringMatching(new RegExp(`^\\(${library} or `)));
    }
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

  it("brings the command to systems whose app is no command, and takes what it registered on Windows with it", async () => {
    const { mac, win, nsis } = await read();
    expect(mac?.extraResources).toStrictEqual([{ from: "main/assets/bin/postern", to: "bin/postern" }]);
    expect(win?.extraResources).toStrictEqual([{ from: "main/assets/bin/postern.cmd", to: "bin/postern.cmd" }]);
    expect(statSync(join(projectFolder, "main/assets/bin/postern")).mode & 0o111).toBe(0o111);
    const script = readFileSync(join(projectFolder, String(nsis?.include)), "utf8");
    for (const name of [String((await read()).appId), `Classes\\${LINK_SCHEME}`]) expect(script).toContain(name);
  });

  it("points to resources that exist", async () => {
    const config = await read();
    const paths = [
      config.mac?.icon,
      config.mac?.entitlements,
      config.mac?.entitlementsInherit,
      config.win?.icon,
      config.linux?.icon,
      config.nsis?.include,
      ...[config.mac, config.win].flatMap((system) =>
        ((system?.extraResources ?? []) as { from: string }[]).map(({ from }) => from),
      ),
    ];
    for (const path of paths) expect(existsSync(join(projectFolder, path as string)), String(path)).toBe(true);
  });
});
