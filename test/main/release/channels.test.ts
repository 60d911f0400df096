import { join } from "node:path";
import { Arch, getArtifactArchName } from "builder-util";
import { getConfig } from "app-builder-lib/out/util/config/config.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import manifest from "../../../package.json" with { type: "json" };
import { findArtefact, listArtefacts } from "../../../main/release/artefacts.mjs";
import { renderChannels } from "../../../main/release/channels.mjs";

const projectFolder = join(import.meta.dirname, "../../..");
const VERSION = "3.1.4";

/** A checksum of its own for each file. */
const sums = Object.fromEntries(
  listArtefacts(VERSION).map(({ file }, index) => [file, index.toString(16).padStart(64, "a")]),
);
const release = { version: VERSION, repository: "someone/postern", sums, manifest };
const texts = renderChannels(release);
const text = (ending: string): string =>
  Object.entries(texts).find(([path]) => path.endsWith(ending))?.[1] ?? expect.fail(`no ${ending}`);
const address = (file: string): string => `https://github.com/someone/postern/releases/download/v${VERSION}/${file}`;

it("lists the files that electron-builder makes, and npm's", async () => {
  const config = await getConfig(projectFolder, join(projectFolder, "electron-builder.yml"), null);
  const endings = { nsis: "exe" } as Readonly<Record<string, string>>;
  const made = (["mac", "win", "linux"] as const).flatMap((system) =>
    ((config[system]?.target ?? []) as { target: string; arch: ("x64" | "arm64")[] }[]).flatMap(({ target, arch }) =>
      arch.map((each) => {
        const ending = endings[target] ?? target;
        return `Postern-${VERSION}-${system}-${getArtifactArchName(Arch[each], ending)}.${ending}`;
      }),
    ),
  );
  expect(config.artifactName).toBe("${productName}-${version}-${os}-${arch}.${ext}");
  const listed = listArtefacts(VERSION).map(({ file }) => file);
  expect(listed.toSorted()).toStrictEqual([`postern-${VERSION}.tgz`, ...made].toSorted());
});

it("refuses a release one of whose files has no checksum", () => {
  const file = findArtefact(VERSION, "deb", "arm64");
  const { [file]: _, ...rest } = sums;
  expect(() => renderChannels({ ...release, sums: rest })).toThrow(`SHA256SUMS lacks ${file}.`);
});

describe("each channel", () => {
  it("names only addresses and checksums of the release", () => {
    const known = new Set(Object.values(sums));
    for (const [path, content] of Object.entries(texts)) {
      for (const [sum] of content.matchAll(/\b[0-9a-f]{64}\b/gi)) expect(known, path).toContain(sum.toLowerCase());
      const whole = content.replaceAll("#{version}", VERSION).replaceAll("#{arch}", "arm64");
      for (const [url] of whole.matchAll(/https:\/\/github\.com\/someone\/postern\/releases\/[^"'\s)#]+/g))
        expect(Object.keys(sums).map(address), path).toContain(url);
    }
  });

  it("gives Homebrew both processors' images and the command", () => {
    const cask = text("Casks/postern.rb");
    for (const arch of ["x64", "arm64"] as const) expect(cask).toContain(sums[findArtefact(VERSION, "dmg", arch)]);
    expect(cask).toContain(`/v#{version}/Postern-#{version}-mac-#{arch}.dmg"`);
    expect(cask).toContain("Resources/bin/postern");
    expect(/desc "(.*)"/.exec(cask)?.[1]?.length).toBeLessThanOrEqual(80);
    expect(text("Formula/postern.rb")).toContain(`url "${address(`postern-${VERSION}.tgz`)}"`);
  });

  it("gives winget three files of one version", () => {
    const files = Object.entries(texts).filter(([path]) => path.startsWith("winget/"));
    const parsed = files.map(([, content]) => parse(content, { strict: true }) as Record<string, unknown>);
    expect(parsed.map(({ ManifestType }) => ManifestType)).toStrictEqual(["version", "installer", "defaultLocale"]);
    for (const each of parsed)
      expect(each).toMatchObject({ PackageIdentifier: "Postern.Postern", PackageVersion: VERSION });
    expect(parsed[1]?.["Installers"]).toStrictEqual(
      (["x64", "arm64"] as const).map((arch) => {
        const file = findArtefact(VERSION, "exe", arch);
        return { Architecture: arch, InstallerUrl: address(file), InstallerSha256: sums[file]?.toUpperCase() };
      }),
    );
  });

  it("gives Scoop both installers as archives, and the command", () => {
    const scoop = JSON.parse(text("postern.json")) as {
      architecture: Record<string, { url: string; hash: string; pre_install: string[] }>;
      bin: unknown;
    };
    expect(Object.keys(scoop.architecture)).toStrictEqual(["64bit", "arm64"]);
    const file = findArtefact(VERSION, "exe", "x64");
    expect(scoop.architecture["64bit"]).toMatchObject({ url: `${address(file)}#/dl.7z`, hash: sums[file] });
    // A backtick keeps PowerShell from taking it for a variable.
    expect(scoop.architecture["64bit"]?.pre_install[0]).toContain("$dir\\`$PLUGINSDIR\\app-64.7z");
    expect(scoop.bin).toStrictEqual([["resources\\bin\\postern.cmd", "postern"]]);
  });

  it("gives the AUR a recipe and a summary that agree", () => {
    const [recipe, summary] = [text("PKGBUILD"), text(".SRCINFO")];
    for (const arch of ["x86_64", "aarch64"]) {
      const [, url] = new RegExp(`source_${arch}=\\("(.*)"\\)`).exec(recipe) ?? [];
      const [, sum] = new RegExp(`sha256sums_${arch}=\\('(.*)'\\)`).exec(recipe) ?? [];
      expect(summary).toContain(`source_${arch} = ${url}\n`);
      expect(summary).toContain(`sha256sums_${arch} = ${sum}\n`);
    }
  });
});
