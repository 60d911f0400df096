import dbus from "dbus-native";
import type { BusAddress, TestBus } from "./bus.ts";

const WATCHER = "org.kde.StatusNotifierWatcher";

/** One line of a tray's menu, as a panel would draw it. */
export interface MenuEntry {
  readonly id: number;
  /** Without the marks of access keys; empty for a separator. */
  readonly label: string;
  readonly isSeparator: boolean;
  readonly isEnabled: boolean;
  /** Null for what has no tick. */
  readonly isTicked: boolean | null;
}

/** The tray of a desktop, as far as a program sees it. */
export interface TrayHost {
  /** The icons that programs have put there. */
  icons(): readonly BusAddress[];
  /** What the one icon says of itself, such as `Title` and `ToolTip`. @throws Error where there is not exactly one */
  properties(): Promise<Readonly<Record<string, unknown>>>;
  /** The menu of the one icon, read again. */
  menu(): Promise<readonly MenuEntry[]>;
  /** The labels of that menu, without separators. */
  labels(): Promise<readonly string[]>;
  /** Clicks on an entry. @throws Error where there is no such entry, or it cannot be clicked on */
  click(label: string): Promise<void>;
  /** Clicks on the icon itself. */
  activate(): Promise<void>;
  /** The panel comes, after what collects the icons for it. */
  becomeReady(): void;
  /** The panel goes, as when it crashes or is switched off. */
  end(): Promise<void>;
}

type Layout = readonly [id: number, properties: Readonly<Record<string, unknown>>, children: readonly Layout[]];

function entryOf([id, properties]: Layout): MenuEntry {
  const { label = "", "toggle-type": toggle = "" } = properties as { label?: string; "toggle-type"?: string };
  return {
    id,
    label: label.replaceAll(/_(.)/g, "$1"),
    isSeparator: properties["type"] === "separator",
    isEnabled: properties["enabled"] !== false,
    isTicked: toggle === "" ? null : properties["toggle-state"] === 1,
  };
}

/**
 * Puts a tray on the bus: the StatusNotifier protocol with menus of com.canonical.dbusmenu.
 * @param isReady whether a panel shows the icons from the start
 */
export async function startTrayHost(bus: TestBus, { isReady = true } = {}): Promise<TrayHost> {
  let hasPanel = isReady;
  const icons: BusAddress[] = [];
  const watcher = dbus.defineInterface({
    name: WATCHER,
    methods: {
      RegisterStatusNotifierItem: {
        in: { service: "s" },
        handler({ service }: { service: string }, { sender = "" }) {
          const isPath = service.startsWith("/");
          icons.push({
            destination: isPath ? sender : service,
            path: isPath ? service : "/StatusNotifierItem",
            interface: "org.kde.StatusNotifierItem",
          });
        },
      },
      RegisterStatusNotifierHost: { in: { service: "s" }, handler: () => undefined },
    },
    properties: {
      RegisteredStatusNotifierItems: { type: "as", access: "read", get: () => icons.map((icon) => icon.destination) },
      IsStatusNotifierHostRegistered: { type: "b", access: "read", get: () => hasPanel },
      ProtocolVersion: { type: "i", access: "read", value: 0 },
    },
    signals: { StatusNotifierHostRegistered: {} },
  });
  await bus.onGone((name) => {
    const at = icons.findIndex(({ destination }) => destination === name);
    if (at !== -1) icons.splice(at, 1);
  });
  const end = await bus.serve(WATCHER, "/StatusNotifierWatcher", watcher);

  const icon = (): BusAddress => {
    const [one, ...others] = icons;
    if (one === undefined || others.length > 0) throw new Error(`There are ${icons.length} icons in the tray.`);
    return one;
  };
  const menuAddress = async (): Promise<BusAddress> => {
    const { Menu: path } = await bus.properties(icon());
    return { destination: icon().destination, path: String(path), interface: "com.canonical.dbusmenu" };
  };
  const menu = async (): Promise<readonly MenuEntry[]> => {
    const read = await bus.call(await menuAddress(), "GetLayout", "iias", 0, -1, []);
    // The number of the layout comes first.
    const [, , children] = (read as [number, Layout])[1];
    return children.map(entryOf);
  };
  return {
    icons: () => [...icons],
    properties: () => bus.properties(icon()),
    menu,
    labels: async () => (await menu()).filter((entry) => !entry.isSeparator).map(({ label }) => label),
    async click(label) {
      for (let tries = 1; ; tries++) {
        const entry = (await menu()).find((one) => one.label === label);
        if (entry?.isEnabled !== true) throw new Error(`Nothing to click on is called ${label}.`);
        try {
          await bus.call(await menuAddress(), "Event", "isvu", entry.id, "clicked", ["i", 0], 0);
          return;
        } catch (error) {
          // The menu was replaced since it was read: then nothing was clicked on.
          if (tries === 5) throw error;
        }
      }
    },
    async activate() {
      await bus.call(icon(), "Activate", "ii", 0, 0);
    },
    becomeReady() {
      if (hasPanel) return;
      hasPanel = true;
      watcher.emit["StatusNotifierHostRegistered"]?.();
    },
    end,
  };
}
