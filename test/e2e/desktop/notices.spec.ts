import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { failure } from "../../support/acts.ts";
import type { ShownNotice } from "./bus-notices.ts";
import {
  closeWindow,
  connectProvider,
  isVisible,
  missingDesktop,
  pageTitle,
  pay,
  post,
  startOnABus,
  type OnABus,
} from "./on-a-bus.ts";
import { needs } from "../../support/needs.ts";

if (missingDesktop !== null) console.log(`\nskipped: ${missingDesktop}\n`);

let at: OnABus;

/** The shell gathers what happens within two seconds, and a task is looked at every few. */
const SOON = { timeout: 20_000 };

const titled = (title: string): ShownNotice | undefined => at.notices.shown.find((notice) => notice.title === title);
const reported = async (title: string): Promise<ShownNotice> => {
  await expect.poll(() => at.notices.shown.map((notice) => notice.title), SOON).toContain(title);
  return titled(title)!;
};
const hash = (): Promise<unknown> =>
  at.desktop.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript("location.hash"),
  );
/** Orders a video of the sandbox. @returns the task's id */
const order = async (prompt: string): Promise<string> => {
  const response = await post(at.desktop, "/v1/videos/generations", { model: "sora-2", prompt });
  expect(response.status).toBeLessThan(300);
  return ((await response.json()) as { id: string }).id;
};
/** Clicks on a notice while there is no window to be seen. */
const clickFromTheTray = async (notice: ShownNotice): Promise<void> => {
  await at.desktop.window.getByRole("heading", { level: 1 }).waitFor();
  await closeWindow(at.desktop);
  await expect.poll(() => isVisible(at.desktop)).toBe(false);
  at.notices.click(notice);
  await expect.poll(() => isVisible(at.desktop), SOON).toBe(true);
};

describe.skipIf(missingDesktop !== null)("a notice of the desktop", needs(missingDesktop), () => {
  beforeEach(async () => {
    at = await startOnABus();
  });
  afterEach(() => at.end());

  it("reports a video that is ready, and shows it when it is clicked on", async () => {
    const id = await order("A boat. sandbox:slow=100");
    const notice = await reported("Video ready");
    expect(notice.body).toBe("sora-2 · Sandbox: no real cost\nA boat. sandbox:slow=100");
    await clickFromTheTray(notice);
    await expect.poll(hash, SOON).toContain(id);
    await expect.poll(() => pageTitle(at.desktop), SOON).toBe("Media");
  });

  it("reports a video that failed", async () => {
    await order("sandbox:fail sandbox:slow=100");
    expect((await reported("Video failed")).body).toContain("sora-2");
  });

  it("reports a budget at 80 and at 100 %, once each, and opens what was spent", async () => {
    const provider = await connectProvider(at);
    try {
      await at.control.call("updateSettings", { monthly_budget_usd: 1 });
      await pay(at, provider, 80);
      const near = await reported("80 % of a budget is spent");
      expect(near.body).toBe("This month's budget: $0.80 of $1.00.");
      await pay(at, provider, 20);
      const spent = await reported("A budget is spent");
      expect(spent.body).toBe("This month's budget: $1.00 of $1.00. Further paid calls are refused.");
      await clickFromTheTray(spent);
      await expect.poll(() => pageTitle(at.desktop), SOON).toBe("Usage");
      const budgets = at.notices.shown.filter(({ title }) => title.includes("budget"));
      expect(budgets).toHaveLength(2);
    } finally {
      await provider.close();
    }
  });

  it("reports a provider that refuses its key and of its return, and opens the providers", async () => {
    const provider = await connectProvider(at);
    try {
      provider.usual = failure(401, { message: "Incorrect API key provided.", code: "invalid_api_key" });
      const messages = [{ role: "user", content: "Hello." }];
      await post(at.desktop, "/v1/chat/completions", { model: "provider-model", messages });
      const notice = await reported("Next door does not respond");
      expect(notice.body).toContain("The provider refuses its key.");
      await clickFromTheTray(notice);
      await expect.poll(() => pageTitle(at.desktop), SOON).toBe("Providers");
      const [connection] = (await at.control.call("listConnections")).data;
      await at.control.call("updateConnection", { keys: ["sk-another"] }, connection?.id);
      await reported("Next door can be used again");
    } finally {
      await provider.close();
    }
  });

  it("is not shown while notices are switched off, nor reported late", async () => {
    const first = await order("First. sandbox:slow=100");
    await at.tray.click("Notifications");
    await expect.poll(async () => (await at.control.call("getTask", {}, first)).status, SOON).toBe("succeeded");
    await at.tray.click("Notifications");
    await order("Second. sandbox:slow=100");
    expect((await reported("Video ready")).body).toContain("Second.");
    expect(at.notices.shown.filter(({ title }) => title.startsWith("Video"))).toHaveLength(1);
  });
});

describe.skipIf(missingDesktop !== null)("a notice on a Chinese desktop", needs(missingDesktop), () => {
  it("is in Chinese, as the tray is", async () => {
    at = await startOnABus({ env: { LANG: "zh_CN.UTF-8", LANGUAGE: "zh_CN" } });
    try {
      await expect.poll(() => at.tray.icons().length).toBe(1);
      expect(await at.tray.labels()).toContain("退出 Postern");
      await order("一条船 sandbox:slow=100");
      const notice = await reported("视频已完成");
      expect(notice.body).toBe("sora-2 · 沙盒：没有真实费用\n一条船 sandbox:slow=100");
      await at.desktop.window.getByRole("heading", { level: 1 }).waitFor();
      await closeWindow(at.desktop);
      expect((await reported("Postern 仍在运行")).body).toContain("可从托盘重新打开或退出");
    } finally {
      await at.end();
    }
  });
});
