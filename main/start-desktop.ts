import { join, sep } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { HeadlessOptions } from "../gateway/headless-options.ts";
import { createGateway, type Gateway } from "../gateway/index.ts";
import { systemClock } from "../gateway/lib/clock.ts";
import type { Log } from "../gateway/lib/log.ts";
import { readyLines } from "../gateway/ready-lines.ts";
import { nodeStoreFs } from "../gateway/store/disk/store-fs.ts";
import { VERSION } from "../gateway/version.ts";
import { keepVersion } from "./app-image.ts";
import { openDesktopMemory } from "./desktop-memory.ts";
import { createLinkFollower } from "./follow-links.ts";
import type { Appearance } from "./policy/appearance.ts";
import { createTrayNotice } from "./policy/close-window.ts";
import { DOWNLOADED } from "./policy/channels.ts";
import { getFacts } from "./policy/tray-model.ts";
import type { Words } from "./policy/words.ts";
import { chooseWords } from "./policy/words-zh.ts";
import { createActions } from "./shell/actions.ts";
import { enableHistory, installAppMenu } from "./shell/app-menu.ts";
import { createAutostart } from "./shell/autostart.ts";
import { createDownloads } from "./shell/downloads.ts";
import { createDragOut } from "./shell/drag-out.ts";
import { guardAllContents } from "./shell/guard-contents.ts";
import { resolveSystemProxy } from "./shell/system-proxy.ts";
import { guardSession, useNoProxy } from "./shell/guard-session.ts";
import { serveBridge } from "./shell/ipc.ts";
import { claimLinks, type Links } from "./shell/links.ts";
import { createMainWindow } from "./shell/main-window.ts";
import { createNotifier } from "./shell/notify.ts";
import { passOnResume } from "./shell/power.ts";
import { isPackaged, getLocaleOfSystem, setTheme, stayWithoutWindows } from "./shell/prepare-app.ts";
import { drainBeforeQuit } from "./shell/quit.ts";
import { findKeychain, type FoundKeychain } from "./shell/safe-storage.ts";
import { reportReady } from "./shell/relaunch.ts";
import { showOnSecondStart } from "./shell/single-instance.ts";
import { exposeToDesktopSuite, restAfterMs } from "./shell/test-hook.ts";
import { refreshOnEvents } from "./shell/tray-refresh.ts";
import { showTray } from "./shell/tray.ts";
import { loadUpdaterLibrary, readUpdateFacts } from "./shell/updater-library.ts";
import { createUpdater } from "./shell/updater.ts";
import { watchForNotices } from "./user-notices.ts";
import { watchTrayHost } from "./tray-host.ts";
import { createTraySwitches } from "./tray-switches.ts";

export interface DesktopOptions extends HeadlessOptions {
  readonly log: Log;
  /** Postern's own options, for what starts it again. */
  readonly own: readonly string[];
  readonly links: Links;
  /** Sealers of the data folder's keys on earlier starts, newest first. */
  readonly sealedBy: readonly string[];
  /** Started by the session: no window is opened. */
  readonly hidden: boolean;
}

/**
 * Starts the gateway in this process, then tray, menu and window: nothing is shown before the gateway responds, and all
 * guards and handlers exist before the first page.
 * @param folder the shell's own folder, for its state.
 * @throws StartError if the gateway cannot start.
 */
export async function startDesktop(options: DesktopOptions, folder: string): Promise<void> {
  const { dataDir, host, port, json, log, own, variables } = options;
  /** Follow the language of the pages. */
  const words: Words = { ...chooseWords(getLocaleOfSystem()) };
  const { platform, env } = process;
  // At once: each waits for the disk, the session's bus or Chromium.
  const [keychain, memory, trayHost, updateFacts] = await Promise.all([
    findKeychain(options.sealedBy),
    openDesktopMemory(nodeStoreFs, folder),
    watchTrayHost({ platform, env, user: process.getuid?.() }),
    readUpdateFacts(nodeStoreFs, env),
    useNoProxy(),
  ]);
  setTheme(memory.value.appearance.theme);
  const autostart = createAutostart({ fs: nodeStoreFs, own, env });
  const switches = await createTraySwitches({ memory, autostart, words });
  const { sealer } = keychain;
  const assetsDir = join(import.meta.dirname, "../renderer");
  const parts = { env: { ...env, ...variables }, sealer, assetsDir, version: VERSION, clock: systemClock, log };
  const pages = { show: (): void => undefined };
  const showWindow = (link: string | null): void => (link === null ? pages.show() : options.links.take(link));
  const gateway = await createGateway({ dataDir, host, port, ...parts, resolveSystemProxy, showWindow });
  const { url, ui, firstKey } = gateway;
  void tellOfKeychain(keychain, gateway);

  // Before the quit's listener of a shutdown: Electron 42 has the system wait for one that is not the first of all.
  passOnResume(() => gateway.onResume());

  // Nothing waits after this point: a quit that comes now already drains.
  const packaged = isPackaged();
  const quit = drainBeforeQuit({
    close: () => Promise.all([gateway.close(), memory.written()]),
    onDraining: () => {
      window.end();
      tray.refresh();
    },
    log,
  });
  const show = createNotifier((route) => window.open(route));
  const window = createMainWindow({
    preload: join(import.meta.dirname, "preload.cjs"),
    packaged,
    url,
    words,
    memory,
    isQuitting: quit.isQuitting,
    quit: quit.ask,
    log,
    tellAboutTray: () => show(createTrayNotice(url, trayHost.isThere(), words)),
    onHistory: enableHistory,
    restAfterMs: restAfterMs(),
  });
  pages.show = window.show;
  const updater = createUpdater({
    facts: updateFacts,
    load: loadUpdaterLibrary,
    findProxy: () => gateway.findProxy(RELEASES),
    log,
    onChange: () => {
      tray.refresh();
      switches.tellOfUpdate(updater.state(), show);
    },
    keep: () => keepVersion(process.env, own),
    leave: quit.install,
  });
  const downloads = createDownloads((file) => window.window()?.webContents.send(DOWNLOADED, file));
  guardSession(url, !packaged, downloads.save);
  guardAllContents(url);
  serveBridge({
    origin: url,
    window: window.window,
    issuePageToken: () => gateway.issuePageToken(),
    issueConsent: () => gateway.issueConsent(),
    words,
    mediaFolder: join(dataDir, "media") + sep,
    dataFolder: dataDir,
    autostart: switches.autostart,
    onAppearance: (appearance: Appearance) => {
      if (isDeepStrictEqual(appearance, memory.value.appearance)) return;
      memory.update({ appearance });
      setTheme(appearance.theme);
      Object.assign(words, chooseWords(appearance.language ?? getLocaleOfSystem()));
      drawMenu();
      tray.refresh();
    },
    onAutostart: () => tray.refresh(),
    memory,
    downloads,
    dragOut: createDragOut({ files: (ids) => gateway.mediaFiles(ids) }),
    updater,
    restart: quit.restart,
  });
  stayWithoutWindows(window.show);
  showOnSecondStart(window.show);

  const act = createActions({
    url,
    dataDir,
    window,
    quit,
    gateway,
    toggleNotifications: () => {
      switches.toggleNotifications();
      tray.refresh();
    },
    toggleAutostart: () => void switches.toggleAutostart(show).then(() => tray.refresh()),
    installUpdate: () => void updater.next(),
  });
  const drawMenu = (): void => {
    installAppMenu(!packaged, words, act);
    enableHistory(window.history());
  };
  drawMenu();
  const tray = showTray({
    words,
    facts: () => ({
      ...getFacts(gateway.state()),
      ...switches.facts(),
      videos: gateway.activeTasks(),
      update: updater.state().state === "ready" ? updater.state().version : null,
    }),
    act,
  });
  trayHost.onFirst(tray.renew);
  refreshOnEvents(gateway.events, tray.refresh);
  watchForNotices({ gateway, memory, words, clock: systemClock, show });
  switches.tellOfKeychain(keychain.notice, show);
  exposeToDesktopSuite({ tray: tray.model });

  // An installed app's output goes to the session's journal; its own pages show the first key.
  const shown = packaged ? { ui: json ? ui : url, firstKey: null } : { ui, firstKey };
  process.stdout.write(readyLines({ url, ...shown, dataDir, pid: process.pid }, json));
  reportReady(quit.ask);
  if (!options.hidden) window.show();
  claimLinks();
  options.links.setFollower(createLinkFollower({ words, clock: systemClock, open: window.open, show }));
}

/** Releases are there; proxies are chosen by host. */
const RELEASES = new URL("https://github.com");

/** Shows the keychain's notice; if the keychain was silent, first that, then its state once it has responded. */
async function tellOfKeychain({ notice, late }: FoundKeychain, gateway: Gateway): Promise<void> {
  const takeBack = notice && gateway.notice(notice.level, notice.message);
  if (late === null) return;
  const then = await late;
  takeBack?.();
  if (then !== null) gateway.notice(then.level, then.message);
  await gateway.keychainAnswered();
}
