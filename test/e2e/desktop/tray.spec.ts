import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startBus } from "./bus.ts";
import { startNoticeServer } from "./bus-notices.ts";
import { startTrayHost } from "./bus-tray.ts";
import { endDesktopApp, isPackaged, startDesktopAppWith } from "./desktop-app.ts";
import {
  chat,
  closeWindow,
  connectProvider,
  isVisible,
  missingDesktop,
  pay,
  post,
  startOnABus,
  type OnABus,
} from "./on-a-bus.ts";
import { needs } from "../../support/needs.ts";

if (missingDesktop !== null) console.log(`\nskipped: ${missingDesktop}\n`);

let at: OnABus;

describe.skipIf(missingDesktop !== null)("the tray", needs(missingDesktop), () => {
  beforeEach(async () => {
    at = await startOnABus();
    await expect.poll(() => at.tray.icons().length).toBe(1);
  });
  afterEach(() => at.end());

  const port = (): string => new URL(at.desktop.ready.url).port;
  const clipboard = (): Promise<string> => at.desktop.app.evaluate(({ clipboard: it }) => it.readText());

  it("has an icon, a state in words, and a menu of what can be read and clicked on", async () => {
    const { ToolTip, IconPixmap } = await at.tray.properties();
    expect(ToolTip).toEqual(["", [], `Postern: Running on ${port()}`, ""]);
    expect((IconPixmap as unknown[]).length).toBeGreaterThan(0);
    const shown = (await at.tray.menu()).map((entry) =>
      entry.isSeparator
        ? "---"
        : `${entry.label}${entry.isEnabled ? "" : " (text)"}${entry.isTicked === null ? "" : entry.isTicked ? " [x]" : " [ ]"}`,
    );
    expect(shown).toEqual([
      "Open Postern",
      "---",
      `Running on ${port()} (text)`,
      "Today $0.00 (text)",
      "Nothing in flight (text)",
      "---",
      "Copy base URL",
      "Copy MCP address",
      "---",
      "Pause",
      "Notifications [x]",
      ...(isPackaged ? ["Start at login [ ]"] : []),
      "---",
      "Quit Postern",
    ]);
  });

  it("opens the window that was closed, by its menu and by a click on the icon", async () => {
    await at.desktop.window.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    for (const open of [() => at.tray.click("Open Postern"), () => at.tray.activate()]) {
      await closeWindow(at.desktop);
      await expect.poll(() => isVisible(at.desktop)).toBe(false);
      await open();
      await expect.poll(() => isVisible(at.desktop)).toBe(true);
    }
  });

  it("copies the addresses that programs are pointed at", async () => {
    await at.tray.click("Copy base URL");
    await expect.poll(clipboard).toBe(`${at.desktop.ready.url}/v1`);
    await at.tray.click("Copy MCP address");
    await expect.poll(clipboard).toBe(`${at.desktop.ready.url}/mcp`);
  });

  it("pauses and resumes", async () => {
    await at.tray.click("Pause");
    await expect.poll(() => at.tray.labels()).toContain("Paused");
    expect((await chat(at.desktop, "Hello.")).status).toBe(503);
    expect((await at.tray.properties())["ToolTip"]).toContain("Postern: Paused");
    await at.tray.click("Resume");
    await expect.poll(() => at.tray.labels()).toContain(`Running on ${port()}`);
    expect((await chat(at.desktop, "Hello.")).status).toBe(200);
  });

  it("switches the notices off and on, and keeps the tick right", async () => {
    const ticked = async () => (await at.tray.menu()).find(({ label }) => label === "Notifications")?.isTicked;
    await at.tray.click("Notifications");
    await expect.poll(ticked).toBe(false);
    await at.tray.click("Notifications");
    await expect.poll(ticked).toBe(true);
  });

  it("follows what is in flight, what was spent, what is left and what is made", async () => {
    const response = await chat(at.desktop, "Hello. sandbox:slow=3000");
    await expect.poll(() => at.tray.labels()).toContain("1 request in flight");
    await response.text();
    await expect.poll(() => at.tray.labels()).toContain("Nothing in flight");

    const video = { model: "sora-2", prompt: "A boat. sandbox:slow=60000" };
    expect((await post(at.desktop, "/v1/videos/generations", video)).status).toBeLessThan(300);
    await expect.poll(() => at.tray.labels()).toContain("1 video being made");

    const provider = await connectProvider(at);
    try {
      await at.control.call("updateSettings", { monthly_budget_usd: 10 });
      await pay(at, provider, 25);
      await expect.poll(() => at.tray.labels()).toContain("Today $0.25");
      expect(await at.tray.labels()).toContain("$9.75 of $10.00 left this month");
    } finally {
      await provider.close();
    }
  });

  it("quits when a response that has started is over", async () => {
    const response = await chat(at.desktop, "Count to twenty. sandbox:slow=1500");
    await at.tray.click("Quit Postern");
    expect(await response.text()).toContain("data: [DONE]");
    expect(await at.desktop.ended).toBe(0);
  });

  it("says at the first close how to come back, and not again", async () => {
    await at.desktop.window.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    const reports = () => at.notices.shown.filter(({ title }) => title === "Postern is still running");
    await closeWindow(at.desktop);
    await expect.poll(reports).toMatchObject([{ body: expect.stringContaining("from the tray") as unknown }]);
    expect(reports()[0]?.body).toContain(at.desktop.ready.url);
    await at.desktop.startAgain();
    await expect.poll(() => isVisible(at.desktop)).toBe(true);
    await closeWindow(at.desktop);
    await expect.poll(() => isVisible(at.desktop)).toBe(false);
    expect(reports()).toHaveLength(1);
  });

  it("is there again when the desktop's tray was restarted", async () => {
    await at.tray.end();
    const again = await startTrayHost(at.bus);
    await expect.poll(() => again.icons().length, { timeout: 5_000 }).toBe(1);
    expect(await again.labels()).toContain("Open Postern");
  });
});

describe.skipIf(missingDesktop !== null)("where there is no tray", needs(missingDesktop), () => {
  it("can be reached by a second start, and says so at the first close", async () => {
    const bus = await startBus();
    const notices = await startNoticeServer(bus);
    const desktop = await startDesktopAppWith({ env: bus.env });
    try {
      await desktop.window.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
      await closeWindow(desktop);
      await expect.poll(() => isVisible(desktop)).toBe(false);
      const body = expect.stringContaining("To open or quit it, start Postern again.") as unknown;
      await expect.poll(() => notices.shown).toContainEqual(expect.objectContaining({ body }));
      expect((await desktop.startAgain()).code).toBe(0);
      await expect.poll(() => isVisible(desktop)).toBe(true);
    } finally {
      await endDesktopApp(desktop);
      await bus.end();
    }
  });

  it("can be reached without any bus", async () => {
    const desktop = await startDesktopAppWith({ env: { DBUS_SESSION_BUS_ADDRESS: "disabled:" } });
    try {
      await desktop.window.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
      await closeWindow(desktop);
      await expect.poll(() => isVisible(desktop)).toBe(false);
      expect((await desktop.startAgain()).code).toBe(0);
      await expect.poll(() => isVisible(desktop)).toBe(true);
    } finally {
      await endDesktopApp(desktop);
    }
  });

  it.each([
    ["comes after Postern, which the session has started", undefined],
    ["is there at first without a panel", { isReady: false }],
  ])("has its icon when one %s", async (_when, early) => {
    const bus = await startBus();
    const first = early === undefined ? null : await startTrayHost(bus, early);
    const desktop = await startDesktopAppWith({ env: bus.env, args: ["--hidden"] });
    try {
      expect((await fetch(`${desktop.ready.url}/health`)).status).toBe(200);
      const tray = first ?? (await startTrayHost(bus));
      expect(tray.icons()).toEqual([]);
      tray.becomeReady();
      await expect.poll(() => tray.icons().length, { timeout: 5_000 }).toBe(1);
      await tray.click("Open Postern");
      await expect.poll(() => isVisible(desktop), { timeout: 5_000 }).toBe(true);
    } finally {
      await endDesktopApp(desktop);
      await bus.end();
    }
  });
});
