import { createControlClient, type ControlClient } from "../../../main/launch/control-client.ts";
import { findInstance } from "../../../main/launch/instance.ts";
import { completion } from "../../support/acts.ts";
import { startProvider, type MockProvider } from "../../support/mock-provider.ts";
import { missingBus, startBus, type TestBus } from "./bus.ts";
import { startNoticeServer, type NoticeServer } from "./bus-notices.ts";
import { startTrayHost, type TrayHost } from "./bus-tray.ts";
import { endDesktopApp, missing, startDesktopAppWith, type DesktopApp, type StartOptions } from "./desktop-app.ts";

/** Why nothing of this can run here, or null. */
export const missingDesktop: string | null = missing ?? missingBus;

/** A desktop with tray and notices, and Postern on it. */
export interface OnABus {
  readonly bus: TestBus;
  readonly tray: TrayHost;
  readonly notices: NoticeServer;
  readonly desktop: DesktopApp;
  readonly control: ControlClient;
  end(): Promise<void>;
}

/** Starts all of it. */
export async function startOnABus(options: StartOptions = {}): Promise<OnABus> {
  const bus = await startBus();
  const tray = await startTrayHost(bus);
  const notices = await startNoticeServer(bus);
  const desktop = await startDesktopAppWith({ ...options, env: { ...bus.env, ...options.env } });
  return {
    bus,
    tray,
    notices,
    desktop,
    control: createControlClient(() => findInstance(desktop.dataDir)),
    async end() {
      await endDesktopApp(desktop);
      await bus.end();
    },
  };
}

/** Whether its window can be seen. */
export function isVisible({ app }: DesktopApp): Promise<boolean> {
  return app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible()));
}

/** Closes its window as a person does. */
export function closeWindow({ app }: DesktopApp): Promise<void> {
  return app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
}

/** The title of the page that the window shows. */
export function pageTitle({ app }: DesktopApp): Promise<unknown> {
  return app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript("document.querySelector('h1')?.textContent ?? ''"),
  );
}

/** Calls the gateway as a program on this machine does. */
export function post({ ready }: DesktopApp, path: string, body: object): Promise<Response> {
  return fetch(`${ready.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${ready.apiKey ?? ""}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** A conversation of one message with the sandbox. */
export function chat(desktop: DesktopApp, content: string): Promise<Response> {
  const messages = [{ role: "user", content }];
  return post(desktop, "/v1/chat/completions", { model: "gpt-4o-mini", stream: true, messages });
}

/** A provider of the test's own, connected, whose model costs what `pay` says. */
export async function connectProvider({ control }: OnABus): Promise<MockProvider> {
  const provider = await startProvider();
  const keys = ["sk-of-the-test"];
  const home = { provider: "openai-compatible", name: "Next door", base_url: provider.baseUrl } as const;
  await control.call("createConnection", { ...home, keys });
  return provider;
}

/** One call of that provider's model that costs so many cents. */
export async function pay({ control, desktop }: OnABus, provider: MockProvider, cents: number): Promise<void> {
  provider.usual = completion("Done.", { prompt_tokens: 1_000, completion_tokens: 0 });
  // Nano USD for a million tokens.
  await control.call("setPrice", { model: "provider-model", rates: { input: cents * 10_000_000_000, output: 0 } });
  const messages = [{ role: "user", content: "Hello." }];
  const response = await post(desktop, "/v1/chat/completions", { model: "provider-model", messages });
  if (!response.ok) throw new Error(await response.text());
}
