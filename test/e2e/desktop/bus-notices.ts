import dbus from "dbus-native";
import type { TestBus } from "./bus.ts";

const NAME = "org.freedesktop.Notifications";

/** A notice as the desktop got it. */
export interface ShownNotice {
  readonly id: number;
  readonly title: string;
  readonly body: string;
  /** Names and labels by turns. */
  readonly actions: readonly string[];
}

/** The notices of a desktop, as far as a program sees them. */
export interface NoticeServer {
  /** All since the start, the oldest first. */
  readonly shown: readonly ShownNotice[];
  /** The person clicks on a notice. */
  click(notice: ShownNotice): void;
  end(): Promise<void>;
}

/** Puts a server of notices on the bus, which shows them to the test. */
export async function startNoticeServer(bus: TestBus): Promise<NoticeServer> {
  const shown: ShownNotice[] = [];
  const server = dbus.defineInterface({
    name: NAME,
    methods: {
      GetCapabilities: { out: { names: "as" }, handler: () => ["body", "actions"] },
      GetServerInformation: {
        out: { name: "s", from: "s", version: "s", protocol: "s" },
        handler: () => ({ name: "test", from: "test", version: "1", protocol: "1.2" }),
      },
      Notify: {
        in: {
          app: "s",
          replaces: "u",
          icon: "s",
          title: "s",
          body: "s",
          actions: "as",
          hints: "a{sv}",
          timeout: "i",
        },
        out: { id: "u" },
        handler({ title, body, actions }: { title: string; body: string; actions: string[] }) {
          const id = shown.length + 1;
          shown.push({ id, title, body, actions });
          return id;
        },
      },
      CloseNotification: { in: { id: "u" }, handler: () => undefined },
    },
    signals: {
      ActionInvoked: { args: { id: "u", action: "s" } },
      NotificationClosed: { args: { id: "u", reason: "u" } },
    },
  });
  const end = await bus.serve(NAME, "/org/freedesktop/Notifications", server);
  return {
    shown,
    click({ id }) {
      server.emit["ActionInvoked"]?.(id, "default");
      // As a desktop does it: a notice that was clicked on goes. 2: by the person.
      server.emit["NotificationClosed"]?.(id, 2);
    },
    end,
  };
}
