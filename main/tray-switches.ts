import type { DesktopMemory } from "./desktop-memory.ts";
import type { KeychainNotice } from "./policy/keychain.ts";
import { writePlainText, type Notice } from "./policy/notice.ts";
import type { TrayFacts } from "./policy/tray-model.ts";
import type { UpdateState } from "./policy/update-state.ts";
import type { Words } from "./policy/words.ts";

type Show = (notice: Notice) => void;

/** Starting with the session, as main/shell/autostart.ts has it. */
export interface AutostartSwitch {
  /** Null if Postern cannot start with the session. */
  read(): Promise<boolean | null>;
  /** @throws Error with a sentence */
  set(on: boolean): Promise<void>;
}

export interface TraySwitchesOptions {
  readonly memory: DesktopMemory;
  readonly autostart: AutostartSwitch;
  readonly words: Words;
}

export interface TraySwitches {
  /** Facts for the tray's ticks; reading the system's list takes a moment, so these are the last ones read. */
  facts(): Pick<TrayFacts, "notifications" | "autostart">;
  toggleNotifications(): void;
  toggleAutostart(show: Show): Promise<void>;
  /** Autostart switch whose changes the tray observes. */
  readonly autostart: AutostartSwitch;
  /** Notifies once per version that a restart installs it. */
  tellOfUpdate(state: UpdateState, show: Show): void;
  /** Notifies that there is no keychain, once until there was one. @param notice null if a keychain is used */
  tellOfKeychain(notice: KeychainNotice | null, show: Show): void;
}

/** Creates the switches of the tray, and the shell's own notices. */
export async function createTraySwitches({ memory, autostart, words }: TraySwitchesOptions): Promise<TraySwitches> {
  const look = (): Promise<boolean | null> => autostart.read().catch(() => null);
  let starts = await look();
  let notifiedVersion: string | null = null;
  const own: AutostartSwitch = {
    async read() {
      starts = await look();
      return starts;
    },
    async set(on) {
      try {
        await autostart.set(on);
      } finally {
        starts = await look();
      }
    },
  };
  return {
    facts: () => ({ notifications: memory.value.notifications, autostart: starts }),
    toggleNotifications: () => memory.update({ notifications: !memory.value.notifications }),
    async toggleAutostart(show) {
      try {
        await own.set(starts !== true);
      } catch (error) {
        const body = writePlainText(error instanceof Error ? error.message : String(error));
        show({ title: words.notices.autostartFailed, body, opens: { page: "settings" } });
      }
    },
    autostart: own,
    tellOfUpdate({ state, version }, show) {
      if (state !== "ready" || version === null || version === notifiedVersion) return;
      notifiedVersion = version;
      if (!memory.value.notifications) return;
      const opens = { page: "settings", params: { section: "updates" } };
      show({ title: words.notices.updateReady(version), body: words.notices.updateReadyBody, opens });
    },
    tellOfKeychain(notice, show) {
      const isMissing = notice !== null;
      if (memory.value.toldNoKeychain === isMissing) return;
      memory.update({ toldNoKeychain: isMissing });
      if (isMissing && memory.value.notifications)
        show({
          title: words.notices.noKeychain,
          body: notice.message,
          opens: { page: "settings", params: { section: "data" } },
        });
    },
  };
}
