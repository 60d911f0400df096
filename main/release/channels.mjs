import { findArtefact, listArtefacts } from "./artefacts.mjs";

/**
 * Files of package managers for a published release: Homebrew (cask and formula), winget, Scoop and the AUR.
 *
 * @typedef {object} Release
 * @property {string} version Without `v`.
 * @property {string} repository `owner/name` on GitHub.
 * @property {Readonly<Record<string, string>>} sums SHA-256 of each file, in hexadecimal digits.
 * @property {{ description: string, license: string }} manifest Of package.json.
 */

/**
 * Returns the texts by their paths.
 * @param {Release} release
 * @returns {Readonly<Record<string, string>>}
 * @throws Error if a file of the release has no checksum
 */
export function renderChannels(release) {
  const missing = listArtefacts(release.version).filter(({ file }) => !/^[0-9a-f]{64}$/.test(release.sums[file] ?? ""));
  if (missing.length > 0) throw new Error(`SHA256SUMS lacks ${missing.map(({ file }) => file).join(", ")}.`);
  const winget = `winget/manifests/p/Postern/Postern/${release.version}/Postern.Postern`;
  return {
    "homebrew/Casks/postern.rb": renderCask(release),
    "homebrew/Formula/postern.rb": renderFormula(release),
    [`${winget}.yaml`]: renderWingetVersion(release),
    [`${winget}.installer.yaml`]: renderWingetInstaller(release),
    [`${winget}.locale.en-US.yaml`]: renderWingetLocale(release),
    "scoop/bucket/postern.json": renderScoop(release),
    "aur/PKGBUILD": renderPkgbuild(release),
    "aur/.SRCINFO": renderSrcinfo(release),
  };
}

/** @param {Release} release @param {string} version */
const baseAddress = ({ repository }, version) => `https://github.com/${repository}/releases/download/v${version}`;

/** @param {Release} release @param {import("./artefacts.mjs").Artefact["kind"]} kind @param {"x64" | "arm64"} arch */
function locate(release, kind, arch) {
  const file = findArtefact(release.version, kind, arch);
  return { url: `${baseAddress(release, release.version)}/${file}`, sha256: release.sums[file] ?? "" };
}

/**
 * Homebrew allows at most 80 characters, without the name and a full stop (docs.brew.sh/Cask-Cookbook, read on
 * 2026-11-29).
 */
const DESCRIPTION = "One local key and one address for every AI model";

/** @param {Release} release */
const renderCask = (release) => `cask "postern" do
  arch arm: "arm64", intel: "x64"

  version "${release.version}"
  sha256 arm:   "${locate(release, "dmg", "arm64").sha256}",
         intel: "${locate(release, "dmg", "x64").sha256}"

  url "${baseAddress(release, "#{version}")}/Postern-#{version}-mac-#{arch}.dmg"
  name "Postern"
  desc "${DESCRIPTION}"
  homepage "https://github.com/${release.repository}"

  auto_updates true
  depends_on macos: ">= :monterey"

  app "Postern.app"
  binary "#{appdir}/Postern.app/Contents/Resources/bin/postern"

  uninstall quit:       "app.postern.desktop",
            login_item: "Postern"

  zap trash: [
    "~/Library/Application Support/Postern",
    "~/Library/Preferences/app.postern.desktop.plist",
    "~/Library/Saved Application State/app.postern.desktop.savedState",
  ]
end
`;

/** @param {Release} release */
const renderFormula = (release) => `class Postern < Formula
  desc "${DESCRIPTION}"
  homepage "https://github.com/${release.repository}"
  url "${baseAddress(release, release.version)}/${findArtefact(release.version, "npm", "any")}"
  sha256 "${release.sums[findArtefact(release.version, "npm", "any")]}"
  license "${release.manifest.license}"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
  end

  service do
    run [opt_bin/"postern", "--headless"]
    keep_alive true
    log_path var/"log/postern.log"
    error_log_path var/"log/postern.log"
  end

  test do
    assert_match "keys create", shell_output("#{bin}/postern --help")
  end
end
`;

const WINGET = "1.10.0";

/** @param {string} type @param {Release} release @param {readonly string[]} lines */
const wingetFile = (type, { version }, lines) =>
  [
    `# yaml-language-server: $schema=https://aka.ms/winget-manifest.${type.toLowerCase()}.${WINGET}.schema.json`,
    "PackageIdentifier: Postern.Postern",
    `PackageVersion: ${version}`,
    ...lines,
    `ManifestType: ${type}`,
    `ManifestVersion: ${WINGET}`,
    "",
  ].join("\n");

/** @param {Release} release */
const renderWingetVersion = (release) => wingetFile("version", release, ["DefaultLocale: en-US"]);

/** @param {Release} release */
const renderWingetInstaller = (release) =>
  wingetFile("installer", release, [
    "InstallerType: nullsoft",
    "Scope: user",
    "InstallModes: [interactive, silent]",
    "UpgradeBehavior: install",
    "Protocols: [postern]",
    "Installers:",
    .../** @type {const} */ (["x64", "arm64"]).flatMap((arch) => {
      const { url, sha256 } = locate(release, "exe", arch);
      return [`- Architecture: ${arch}`, `  InstallerUrl: ${url}`, `  InstallerSha256: ${sha256.toUpperCase()}`];
    }),
  ]);

/** @param {Release} release */
const renderWingetLocale = (release) =>
  wingetFile("defaultLocale", release, [
    "PackageLocale: en-US",
    "Publisher: Postern contributors",
    "PackageName: Postern",
    `PackageUrl: https://github.com/${release.repository}`,
    `License: ${release.manifest.license}`,
    `ShortDescription: ${release.manifest.description}`,
    "Moniker: postern",
  ]);

/** @param {Release} release */
function renderScoop(release) {
  /** @param {"x64" | "arm64"} arch @param {string} folder */
  const part = (arch, folder) => {
    const { url, sha256 } = locate(release, "exe", arch);
    // The installer is an archive of an archive.
    const unpack = [
      `Expand-7zipArchive "$dir\\\`$PLUGINSDIR\\${folder}.7z" "$dir"`,
      'Remove-Item "$dir\\`$PLUGINSDIR", "$dir\\Uninstall*" -Recurse -Force',
    ];
    return { url: `${url}#/dl.7z`, hash: sha256, pre_install: unpack };
  };
  const manifest = {
    version: release.version,
    description: release.manifest.description,
    homepage: `https://github.com/${release.repository}`,
    license: release.manifest.license,
    architecture: { "64bit": part("x64", "app-64"), arm64: part("arm64", "app-arm64") },
    bin: [["resources\\bin\\postern.cmd", "postern"]],
    shortcuts: [["Postern.exe", "Postern"]],
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Libraries that the deb names, by Arch's packages. */
const ARCH_DEPENDS = ["alsa-lib", "gtk3", "libnotify", "libsecret", "mesa", "nss", "xdg-utils"];

/** @param {Release} release */
const renderPkgbuild = (release) => `# Maintainer: Postern contributors
pkgname=postern-bin
pkgver=${release.version}
pkgrel=1
pkgdesc="${release.manifest.description}"
arch=('x86_64' 'aarch64')
url="https://github.com/${release.repository}"
license=('${release.manifest.license}')
depends=(${ARCH_DEPENDS.map((name) => `'${name}'`).join(" ")})
provides=('postern')
conflicts=('postern')
options=('!strip' '!debug')
source_x86_64=("${locate(release, "deb", "x64").url}")
source_aarch64=("${locate(release, "deb", "arm64").url}")
sha256sums_x86_64=('${locate(release, "deb", "x64").sha256}')
sha256sums_aarch64=('${locate(release, "deb", "arm64").sha256}')

package() {
  bsdtar -xf data.tar.* -C "$pkgdir"
  install -d "$pkgdir/usr/bin"
  ln -s /opt/Postern/postern "$pkgdir/usr/bin/postern"
  chmod 4755 "$pkgdir/opt/Postern/chrome-sandbox"
  install -Dm644 "$pkgdir/opt/Postern/LICENSE.electron.txt" "$pkgdir/usr/share/licenses/$pkgname/LICENSE.electron.txt"
}
`;

/** @param {Release} release */
const renderSrcinfo = (release) => `pkgbase = postern-bin
\tpkgdesc = ${release.manifest.description}
\tpkgver = ${release.version}
\tpkgrel = 1
\turl = https://github.com/${release.repository}
\tarch = x86_64
\tarch = aarch64
\tlicense = ${release.manifest.license}
${ARCH_DEPENDS.map((name) => `\tdepends = ${name}`).join("\n")}
\tprovides = postern
\tconflicts = postern
\toptions = !strip
\toptions = !debug
\tsource_x86_64 = ${locate(release, "deb", "x64").url}
\tsha256sums_x86_64 = ${locate(release, "deb", "x64").sha256}
\tsource_aarch64 = ${locate(release, "deb", "arm64").url}
\tsha256sums_aarch64 = ${locate(release, "deb", "arm64").sha256}

pkgname = postern-bin
`;
