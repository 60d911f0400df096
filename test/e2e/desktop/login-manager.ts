import dbus from "dbus-native";
import { startBus } from "./bus.ts";

const NAME = "org.freedesktop.login1";

/** systemd-logind as far as a program hears of it: sleep and power-off. */
export interface LoginManager {
  /** Puts a program on the system bus of this test. */
  readonly env: Readonly<Record<string, string>>;
  /** What the program has asked to be waited for: `sleep`, `shutdown`. */
  readonly waitsFor: ReadonlySet<string>;
  /** The machine is about to sleep (true), or has woken up (false). */
  sleep(isAboutTo: boolean): void;
  /** The machine is about to be powered off. */
  powerOff(): void;
  end(): Promise<void>;
}

/**
 * A system bus of the test's own with a login manager on it. It refuses the descriptor by which a program makes it wait,
 * since Node cannot pass one on; what the program hears is the same.
 */
export async function startLoginManager(): Promise<LoginManager> {
  const bus = await startBus();
  const waitsFor = new Set<string>();
  const manager = dbus.defineInterface({
    name: `${NAME}.Manager`,
    methods: {
      Inhibit: {
        in: { what: "s", who: "s", why: "s", mode: "s" },
        out: { descriptor: "h" },
        handler({ what, mode }: { what: string; mode: string }) {
          if (mode === "delay") waitsFor.add(what);
          throw new Error("This login manager has no descriptors.");
        },
      },
    },
    signals: {
      PrepareForSleep: { args: { start: "b" } },
      PrepareForShutdown: { args: { start: "b" } },
    },
  });
  const end = await bus.serve(NAME, "/org/freedesktop/login1", manager);
  return {
    env: { DBUS_SYSTEM_BUS_ADDRESS: bus.env["DBUS_SESSION_BUS_ADDRESS"] ?? "" },
    waitsFor,
    sleep: (isAboutTo) => manager.emit["PrepareForSleep"]?.(isAboutTo),
    powerOff: () => manager.emit["PrepareForShutdown"]?.(true),
    async end() {
      await end();
      await bus.end();
    },
  };
}
